import type { Cradle } from "../../../kernel/container.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { withoutRole } from "../../roles/rules.ts";
import { keepAdministrator } from "../../users/checks/keep-administrator.ts";
import { apiKeyCollection } from "../collection.ts";

/** Users and keys as holders of roles. */
export interface RoleHolders {
  /** Runs a change of roles; throws `DomainError` when it would remove the last active administrator. */
  keepAdministrator<R>(tx: WriteTx, change: () => Promise<R>): Promise<R>;
  /** Takes a role from all holders, so that a later role with the same id does not give them rights. */
  take(tx: WriteTx, role: string): Promise<void>;
}

export const createRoleHolders = ({ accountChanges }: Pick<Cradle, "accountChanges">): RoleHolders => ({
  keepAdministrator,
  async take(tx, role) {
    await accountChanges.takeRole(tx, role);
    const keys = tx.collection(apiKeyCollection);
    for (const key of await keys.list())
      if (key.roles?.includes(role)) await keys.update(key.id, (stored) => withoutRole(stored, role));
  },
});
