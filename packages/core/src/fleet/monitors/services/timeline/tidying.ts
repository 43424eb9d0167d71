import { type Loop, pause } from "../../../../kernel/running/loops.ts";
import { SYSTEMS } from "../../model.ts";
import { INTERVALS } from "../../rules/timeline/timeline-merge.ts";

/** Seconds after which no node writes into a minute any more, with any plausible clock skew. */
const SETTLED_SEC = 300;
/** Servers per step, which takes a few milliseconds of the event loop. */
export const TIDY_STEP = 8;
/** Milliseconds between two steps, so that other work gets most of the time. */
const PAUSE_MS = 10;

/** Packs the points of past hours, in bounded steps. */
export const tidyingLoop: Loop = {
  name: "monitors.tidying",
  everySec: 300,
  on: "leader",
  async run(now, { transact, clock }, signal) {
    for (const system of SYSTEMS) {
      const below = Math.floor((now - SETTLED_SEC) / INTERVALS[system]);
      while (!signal.aborted && (await transact(({ tx }) => tx.timeline.tidy(system, below, TIDY_STEP))))
        await pause(clock, PAUSE_MS, signal);
    }
  },
};
