import { type Emit, localClient, systemActor } from "../../../kernel/calls/context.ts";
import type { OperationHook } from "../../../kernel/plugins/hooks.ts";
import type { Services } from "../../../kernel/plugins/services.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { updateRecord } from "../../../wire/fields/stamps.ts";
import { secretCollection } from "../collection.ts";
import type { SecretTarget } from "../model.ts";

/** The transaction of a change, and events that are emitted after its commit. */
export interface UnassignUnit {
  readonly tx: WriteTx;
  readonly emit: Emit;
}

/**
 * Removes a target from the lists of all secrets; writes a row of the activity log as the system for each changed one
 * (docs/contract/secrets.md#removed-targets).
 */
export async function unassign(
  { activity, clock }: { activity: Services["activity"]; clock: Clock },
  { tx, emit }: UnassignUnit,
  [type, id]: readonly [SecretTarget, string],
): Promise<void> {
  const secrets = tx.collection(secretCollection);
  const breathe = createBreath(clock);
  for (const { id: secretId, [type]: assigned } of await secrets.list()) {
    if (!assigned?.includes(id)) continue;
    const without = { [type]: assigned.filter((target) => target !== id) };
    const secret = await secrets.update(secretId, (stored) => updateRecord(stored, without, Math.floor(clock.now())));
    await activity.write(tx, { action: "secret_update", detail: { secret } }, systemActor, localClient);
    emit("secret.updated", { id: secretId });
    await breathe();
  }
}

const DELETIONS: Readonly<Record<string, SecretTarget>> = {
  delete_check: "checks",
  delete_category: "categories",
  delete_plugin: "plugins",
  delete_web_hook: "web_hooks",
};

/**
 * Removes a deleted object from all secrets in the same transaction, because a new object with the same id would inherit them.
 * Runs before the deletion, because only its input contains the id; when the deletion is refused, this is rolled back with it.
 */
export const unassignHooks: readonly OperationHook[] = Object.entries(DELETIONS).map(([operation, type]) => ({
  operation,
  async before({ id }, context) {
    if (typeof id === "string") await context.services.vault.unassign(context, type, id);
  },
}));
