import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { withoutRole } from "../../roles/rules.ts";
import { userCollection } from "../collection.ts";
import type { User } from "../model.ts";
import { publicUser } from "../rules/account.ts";

/** Members of an account that count failed logins. */
export type FailureCount = Pick<User, "fl_count" | "fl_date_code"> & { readonly force_password_reset?: 1 };

/** Changes of accounts that other domains make. */
export interface AccountChanges {
  /** Stores a new hash of the unchanged password. */
  rehash(tx: WriteTx, id: string, password: string): Promise<void>;
  /** Stores the count of failed logins, and the lock if there is one. */
  countFailures(tx: WriteTx, id: string, counted: FailureCount): Promise<User>;
  /** Takes a role from all accounts that have it. */
  takeRole(tx: WriteTx, role: string): Promise<void>;
  /** Stores the account of the first administrator; false when an account of that name exists, which then stays unchanged. */
  addFirst(unit: Unit, user: User): Promise<boolean>;
}

export const createAccountChanges = (): AccountChanges => ({
  async rehash(tx, id, password) {
    await tx.collection(userCollection).update(id, (stored) => ({ ...stored, password }));
  },
  countFailures: (tx, id, counted) => tx.collection(userCollection).update(id, (stored) => ({ ...stored, ...counted })),
  async takeRole(tx, role) {
    const users = tx.collection(userCollection);
    for (const user of await users.list())
      if (user.roles.includes(role)) await users.update(user.id, (stored) => withoutRole(stored, role));
  },
  async addFirst({ tx, audit }, user) {
    const users = tx.collection(userCollection);
    if (await users.get(user.id)) return false;
    await users.insert(user);
    audit("user_create", { user: publicUser(user), keywords: [user.username] });
    return true;
  },
});
