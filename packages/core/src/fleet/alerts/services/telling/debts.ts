import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import { recordsById } from "../../../../kernel/searches/pages-by-id.ts";
import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import type { SilencedBy } from "../../../silences/model.ts";
import { alertCollection, invocationCollection } from "../../collection.ts";
import type { Invocation } from "../../model.ts";
import { needsSettling } from "../../rules/telling/holds.ts";
import { enqueueNotification } from "../evaluation/transitions.ts";
import { findNoticeHold, findQuiet } from "./plan.ts";

/** Sends notifications that were held back, once nothing holds them any more; `now` is Unix seconds. */
export type PayDebts = (now: number, signal: AbortSignal) => Promise<void>;

const PAGE = 200;
const owing = hasWord("debt", "yes");

type Deps = Pick<
  Cradle,
  "apart" | "checks" | "clock" | "config" | "definitions" | "servers" | "silences" | "snapshot" | "state" | "transact"
>;

/**
 * Notifies of a firing that was held back (by a silence, snooze, acknowledgement, job, its age or another firing) once
 * the hold has ended for whatever reason, if the alert is still live. Notifies of a snoozed clearing after the snooze.
 */
export function createDebts(deps: Deps): PayDebts {
  return async (now, signal) => {
    const breathe = createBreath(deps.clock, signal);
    for await (const invocation of recordsById(deps.snapshot, invocationCollection, { where: owing, size: PAGE })) {
      if (signal.aborted) return;
      const matter = { task: "delayed notices", noun: "Alert", id: invocation.id, signal };
      await deps.apart.run(matter, () => settleOne(deps, invocation, now));
      await breathe();
    }
  };
}

async function settleOne(deps: Deps, invocation: Invocation, now: number): Promise<void> {
  const held = await deps.snapshot((tx) => holdOf(tx, deps, invocation));
  if (!held || invocation.untold?.free !== undefined || isAnother(held, invocation))
    await payOne(deps, invocation.id, now);
}

/** The hold that still holds a notification back; true = for ever. */
async function holdOf(tx: ReadTx, deps: Deps, invocation: Invocation): Promise<SilencedBy | true | undefined> {
  const alert = deps.definitions.get(alertCollection, invocation.alert);
  if (!alert) return true;
  const groups = deps.servers.anywhere(invocation.server)?.groups ?? invocation.groups;
  if (!invocation.owed) return findNoticeHold(tx, deps, { alert, invocation, groups });
  const by = await findQuiet(tx, deps, { alert, invocation, groups, condition: "alert_cleared" });
  return by?.kind === "snooze" ? by : undefined;
}

const isAnother = (held: SilencedBy | true, { untold }: Invocation): boolean =>
  held !== true && untold !== undefined && (held.kind !== untold.by.kind || held.id !== untold.by.id);

/** Checks again inside the transaction: another leader, a clearing or a new silence may have come first. */
async function payOne(deps: Deps, id: string, now: number): Promise<void> {
  await deps.transact(async ({ tx }) => {
    const invocation = await tx.collection(invocationCollection).get(id);
    if (!invocation) return;
    const held = await holdOf(tx, deps, invocation);
    await (invocation.owed
      ? payClearing(tx, invocation, held !== undefined)
      : payFiring(tx, deps, invocation, { held, now }));
  });
}

async function payClearing(tx: WriteTx, { id, owed }: Invocation, isHeld: boolean): Promise<void> {
  if (isHeld || !owed) return;
  await tx.collection(invocationCollection).update(id, ({ owed: _paid, ...rest }) => rest as Invocation);
  await enqueueNotification(tx, owed);
}

async function payFiring(
  tx: WriteTx,
  { config }: Deps,
  { id, active, untold }: Invocation,
  { held, now }: { readonly held: SilencedBy | true | undefined; readonly now: number },
): Promise<void> {
  if (!active || !untold || untold.queued) return;
  const { free: before, ...rest } = untold;
  const free = held ? undefined : (before ?? now);
  // After a hold by a job or by a dependency, the alert gets some time to clear by itself.
  const isDue = free !== undefined && (!needsSettling(untold.by) || now - free >= config.notices.settle_sec);
  // Notifications name the latest reason.
  const by = held && held !== true ? held : untold.by;
  const next = { ...rest, by, ...(free === undefined ? {} : { free }), ...(isDue ? { queued: true } : {}) };
  await tx.collection(invocationCollection).update(id, (stored) => ({ ...stored, untold: next }));
  if (isDue) await enqueueNotification(tx, { invocation: id, condition: "alert_new", late: untold.by });
}
