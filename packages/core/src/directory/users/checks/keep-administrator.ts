import { DomainError } from "../../../kernel/errors/errors.ts";
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
  const before = await hasAdministrator(tx);
  const result = await change();
  if (before && !(await hasAdministrator(tx)))
    throw new DomainError("user", "conflict", "At least one active administrator is required.");
  return result;
}

async function hasAdministrator(tx: ReadTx): Promise<boolean> {
  const users = await tx.collection(userCollection).list();
  // Most have an administrator who needs no role for it, and roles can be large.
  if (users.some((user) => isActiveAdministrator(user, []))) return true;
  const roles = await tx.collection(roleRecords).list();
  return users.some((user) => isActiveAdministrator(user, roles));
}
