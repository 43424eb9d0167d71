import type { Cradle } from "../../../kernel/container.ts";

type Deps = Pick<Cradle, "clock" | "nodes" | "storage" | "transact">;

/** Tolerated difference between clocks, in seconds. */
const MOST_SEC = 5;
const AGAIN_SEC = 3600;

/** A text like "12 seconds ahead of"; `offSec`: seconds that one clock is ahead of another. Undefined = within the tolerance. */
export function clockFault(offSec: number): string | undefined {
  const off = Math.abs(offSec);
  return off > MOST_SEC ? `${Math.round(off)} seconds ${offSec > 0 ? "ahead of" : "behind"}` : undefined;
}

/** Warns, at most once an hour, when the leader's clock, which dates notices, differs from the clock of the database. */
export function createClockWatch({ clock, nodes, storage, transact }: Deps): () => Promise<void> {
  let told = Number.NEGATIVE_INFINITY;
  return async () => {
    const fault = clockFault(clock.now() - nodes.nowMs() / 1000);
    const nowSec = clock.monotonicMs() / 1000;
    if (fault === undefined || nowSec - told < AGAIN_SEC) return;
    told = nowSec;
    const { nodeId } = storage.coordination;
    const description = `The clock of node ${nodeId}, which decides about notices, is ${fault} that of the database.`;
    await transact(async ({ audit }) => audit("warning", { description, keywords: [nodeId] }));
  };
}
