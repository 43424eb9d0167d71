import type { Cradle } from "../../../../kernel/container.ts";
import type { Loop } from "../../../../kernel/running/loops.ts";
import { SYSTEMS, type System } from "../../model.ts";
import { oldestKept } from "../../rules/timeline/retention.ts";

/** Points per transaction, so that others get their turn. */
const BATCH = 1000;

/**
 * Expires timelines after `timeline_expiration` (docs/contract/monitors.md#buckets). Runs hourly, so that a node which
 * is off at night does not fill its disk.
 */
export const retentionLoop: Loop = {
  name: "monitors.retention",
  everySec: 3600,
  on: "leader",
  async run(now, cradle, signal) {
    for (const system of SYSTEMS) {
      const below = oldestKept(system, now, cradle.config.timeline_expiration);
      if (below !== undefined) await prune(cradle, { system, below }, signal);
    }
  },
};

type Deps = Pick<Cradle, "transact">;

async function prune(
  { transact }: Deps,
  { system, below }: { readonly system: System; readonly below: number },
  signal: AbortSignal,
): Promise<void> {
  let isMore = true;
  while (isMore && !signal.aborted) isMore = await transact(({ tx }) => tx.timeline.prune(system, below, BATCH));
}
