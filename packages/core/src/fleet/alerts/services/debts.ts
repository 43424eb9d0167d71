import { createBreath } from "../../../kernel/breath.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { alertCollection, invocationCollection } from "../collection.ts";
import type { Condition, Invocation } from "../model.ts";
import { findQuiet } from "./plan.ts";
import { enqueueNotification } from "./transitions.ts";

/** Sends notices that were held back once nothing holds them any more; `now` is Unix seconds. */
export type PayDebts = (now: number, signal: AbortSignal) => Promise<void>;

const PAGE = 200;
/** After a job that kept its server quiet, alerts have this long to end by themselves. Seconds. */
const SETTLE_SEC = 120;

type Deps = Pick<Cradle, "clock" | "definitions" | "servers" | "silences" | "snapshot" | "state" | "transact">;

/**
 * A firing that was held back by a silence, a snooze, an acknowledgement or a job is told when that ends, by whatever
 * way, and the alert is live still; a clearing that was snoozed is told after the snooze.
 */
export function createDebts(deps: Deps): PayDebts {
  return async (now, signal) => {
    const breathe = createBreath(deps.clock, signal);
    for await (const invocation of owing(deps)) {
      if (signal.aborted) return;
      const isHeld = await deps.snapshot((tx) => isQuiet(tx, deps, invocation));
      if (!isHeld || invocation.untold?.free !== undefined) await payOne(deps, invocation.id, now);
      await breathe();
    }
  };
}

/** By id, page by page: rows leave the result while it is worked on. */
async function* owing({ snapshot }: Deps): AsyncGenerator<Invocation> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rest: SearchNode = { kind: "compare", field: "id", operator: "gt", value: after };
    const where: SearchNode = { kind: "and", nodes: [{ kind: "term", field: "debt", words: ["yes"] }, rest] };
    const page = { sortBy: "id", limit: PAGE };
    const { rows }: { rows: readonly Invocation[] } = await snapshot((tx) =>
      tx.collection(invocationCollection).find(where, page),
    );
    yield* rows;
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  }
}

async function isQuiet(tx: ReadTx, deps: Deps, invocation: Invocation): Promise<boolean> {
  const alert = deps.definitions.get(alertCollection, invocation.alert);
  if (!alert) return true;
  const groups = deps.servers.get(invocation.server)?.groups ?? invocation.groups;
  const condition: Condition = invocation.owed ? "alert_cleared" : "alert_new";
  const by = await findQuiet(tx, deps, { alert, invocation, groups, condition });
  return invocation.owed ? by?.kind === "snooze" : by !== undefined;
}

/** Looks again inside the transaction: two leaders, an end, or a silence that came meanwhile. */
async function payOne(deps: Deps, id: string, now: number): Promise<void> {
  await deps.transact(async ({ tx }) => {
    const invocation = await tx.collection(invocationCollection).get(id);
    if (!invocation) return;
    const isHeld = await isQuiet(tx, deps, invocation);
    await (invocation.owed ? payClearing(tx, invocation, isHeld) : payFiring(tx, invocation, { isHeld, now }));
  });
}

async function payClearing(tx: WriteTx, { id, owed }: Invocation, isHeld: boolean): Promise<void> {
  if (isHeld || !owed) return;
  await tx.collection(invocationCollection).update(id, ({ owed: _paid, ...rest }) => rest as Invocation);
  await enqueueNotification(tx, owed);
}

interface Look {
  readonly isHeld: boolean;
  readonly now: number;
}

async function payFiring(tx: WriteTx, { id, active, untold }: Invocation, { isHeld, now }: Look): Promise<void> {
  if (!active || !untold || untold.queued) return;
  const { free: before, ...held } = untold;
  const free = isHeld ? undefined : (before ?? now);
  const isDue = free !== undefined && (untold.by.kind !== "job" || now - free >= SETTLE_SEC);
  const next = { ...held, ...(free === undefined ? {} : { free }), ...(isDue ? { queued: true } : {}) };
  await tx.collection(invocationCollection).update(id, (stored) => ({ ...stored, untold: next }));
  if (isDue) await enqueueNotification(tx, { invocation: id, condition: "alert_new", late: untold.by });
}
