import { bucketRecords } from "../../../directory/buckets/records.ts";
import { channelRecords } from "../../../directory/channels/records.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import { userRecords } from "../../../directory/users/records.ts";
import { webHookRecords } from "../../../directory/web-hooks/records.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { findMissing, referencedIds } from "../../../wire/entries/action-shape.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { eventRecords } from "../records.ts";

/** Records that an action names and that may be missing when it is saved: then the action fails when it runs. */
const NAMED = [
  { types: ["web_hook"], member: "web_hook", noun: "web hook", records: webHookRecords },
  { types: ["channel"], member: "channel_id", noun: "channel", records: channelRecords },
  { types: ["store", "fetch"], member: "bucket_id", noun: "bucket", records: bucketRecords },
  { types: ["email"], member: "users", noun: "account", records: userRecords },
] as const;

const MAX_WARNINGS = 20;
const MAX_ID = 100;

const idsOf = (value: unknown): string[] =>
  [value].flat().filter((id): id is string => typeof id === "string" && id !== "");

/**
 * Events and plugins that actions name and that do not exist. Calls refuse such actions; for events in code there are only
 * warnings.
 */
export async function missingTargets(tx: ReadTx, actions: readonly Action[]): Promise<string[]> {
  const { events, plugins } = referencedIds(actions);
  const idsIn = async (collection: typeof eventRecords | typeof pluginRecords, named: readonly { id: string }[]) => {
    const found = await tx.collection(collection as typeof eventRecords).getMany(named.map(({ id }) => id));
    return new Set(found.flatMap((record) => record?.id ?? []));
  };
  const [known, programs] = [await idsIn(eventRecords, events), await idsIn(pluginRecords, plugins)];
  const fault = findMissing(actions, { event: (id) => known.has(id), plugin: (id) => programs.has(id) });
  return fault === undefined ? [] : [`${fault}. Create it, or name another one.`];
}

/** One sentence for each missing thing that a well-formed action names. */
export async function actionWarnings(tx: ReadTx, actions: readonly Action[] | null | undefined): Promise<string[]> {
  const warnings: string[] = [];
  for (const [index, action] of (actions ?? []).entries())
    for (const { types, member, noun, records } of NAMED) {
      if (!(types as readonly string[]).includes(action.type) || warnings.length >= MAX_WARNINGS) continue;
      const ids = idsOf(action[member]);
      const found = await tx.collection(records as typeof webHookRecords).getMany(ids);
      for (const id of ids.filter((_id, at) => !found[at]))
        warnings.push(
          `Action #${index + 1}: there is no ${noun} ${JSON.stringify(id.slice(0, MAX_ID))}, so the action will fail. Create it, or name another one.`,
        );
    }
  return warnings.slice(0, MAX_WARNINGS);
}
