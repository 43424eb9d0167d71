import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { hasWord } from "../../../search/ast.ts";
import { noticeCollection } from "../collection.ts";
import type { Notice } from "../model.ts";
import { inLine, timesAgain } from "../rules/delivery/attempts.ts";
import { DELIVER_KIND } from "../rules/delivery/delivery.ts";
import { receiverOf } from "./receivers/receiver-of.ts";
import { attemptAt } from "./sending/attempts.ts";

/** Maximum notices to look at; the latest ones count. */
const MOST = 1000;
/**
 * Seconds after which a due notice counts as stuck. Each attempt has its queued work, but that can wait for a wrong time or be
 * lost.
 */
const LEFT_SEC = 60;

type Deps = Pick<Cradle, "alerts" | "clock" | "definitions" | "snapshot" | "transact">;

/** Restarts deliveries to each receiver whose queued work waits for a time that was set by a clock running ahead. */
export async function moveStuckLines(deps: Deps): Promise<void> {
  const { snapshot, transact } = deps;
  const stuck = await snapshot(async (tx) => {
    const page = { sortBy: "date", descending: true, limit: MOST } as const;
    const { rows } = await tx.collection(noticeCollection).find(hasWord("outcome", "pending"), page);
    const lines = [...Map.groupBy(inLine(rows), ({ receiver }) => receiver)];
    const found = await Promise.all(lines.map(([, [head]]) => head !== undefined && isStuck(tx, deps, head)));
    return lines.flatMap(([receiver], at) => (found[at] ? receiver : []));
  });
  if (stuck.length === 0) return;
  await transact(async ({ tx }) => {
    for (const receiver of stuck) await tx.enqueue(DELIVER_KIND, { receiver }, { key: receiver });
  });
}

async function isStuck(tx: ReadTx, deps: Deps, head: Notice): Promise<boolean> {
  const now = deps.clock.now();
  if (timesAgain(head, Math.floor(now))) return true;
  const { receiver: id, next } = head;
  return Math.max(next, await attemptAt(tx, receiverOf(deps, id), { id, now })) <= now - LEFT_SEC;
}
