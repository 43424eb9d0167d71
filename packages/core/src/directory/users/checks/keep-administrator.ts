import { DomainError } from "../../../kernel/errors/errors.ts";
import { definitionsView } from "../../../kernel/transactions/unit-scope.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { roleRecords } from "../../roles/records.ts";
import { userCollection } from "../collection.ts";
import { administratorsAmong, isActiveAdministrator } from "../rules/account.ts";

/**
 * Runs a change of users or roles and refuses it when it removes the last active administrator
 * (docs/contract/accounts.md#operations). If there was none before, nothing is refused.
 */
export async function keepAdministrator<R>(tx: WriteTx, change: () => Promise<R>): Promise<R> {
  // If two administrators delete each other at the same time, the second must see the deletion of the first.
  await tx.lock("users:administrators");
  // Reads from memory, because reading two thousand accounts takes 14 ms.
  const known = await administratorsIn(definitionsView(tx));
  const before = known.length > 0 || (await administratorsIn(tx)).length > 0;
  const result = await change();
  if (before && !(await isOneLeft(tx, known)))
    throw new DomainError("user", "conflict", "At least one active administrator is required.");
  return result;
}

/** Ids of the active administrators. */
async function administratorsIn(tx: ReadTx): Promise<string[]> {
  const [users, roles] = [await tx.collection(userCollection).list(), await tx.collection(roleRecords).list()];
  return administratorsAmong(users, roles).map(({ id }) => id);
}

/** True when an active administrator is left. Looks first at the known ones, as they are stored now. */
async function isOneLeft(tx: ReadTx, known: readonly string[]): Promise<boolean> {
  const users = await tx.collection(userCollection).getMany(known);
  // Most administrators need no role to be one, and roles can be large.
  if (users.some((user) => user && isActiveAdministrator(user, []))) return true;
  return (await administratorsIn(tx)).length > 0;
}
