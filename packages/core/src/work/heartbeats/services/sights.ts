import { type Sight, UNKNOWN } from "../../../fleet/alerts/rules/definition/subjects.ts";
import type { Judged } from "../../../fleet/alerts/subjects/judged.ts";
import { definitionIn } from "../../../kernel/apart.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import type { Beat, Heartbeat } from "../model.ts";
import { mayHaveCalled, sightOf } from "../rules/sight.ts";
import { type Times, timesOf } from "../rules/times.ts";

interface Look {
  /** Unix seconds. */
  readonly now: number;
  /** Absent for calls, which are short. */
  readonly signal?: AbortSignal;
  /** Seconds since the last break ended; absent for calls, which show the stored state. */
  readonly awakeSec?: number;
}

/** Computes the alert values of heartbeats. Searching a schedule takes a millisecond or two, so it yields in between. */
export type SightsOf = (
  heartbeats: readonly Heartbeat[],
  beats: ReadonlyMap<string, Beat>,
  look: Look,
) => Promise<Sight[]>;

export function createSights(
  { apart, clock, scheduler }: Pick<Cradle, "apart" | "clock" | "scheduler">,
  { watchedOf }: Pick<Judged<Heartbeat>, "watchedOf">,
): SightsOf {
  /** Keyed by the definition object, which is replaced when it changes. */
  const known = new WeakMap<Heartbeat, Times>();
  const timesFor = (heartbeat: Heartbeat): Times => {
    const times = known.get(heartbeat) ?? timesOf(heartbeat, scheduler.rules);
    known.set(heartbeat, times);
    return times;
  };
  return async (heartbeats, beats, { now, signal, awakeSec = Infinity }) => {
    const breathe = createBreath(clock, signal);
    const sights: Sight[] = [];
    for (const each of heartbeats) {
      const context = apart.now(definitionIn("heartbeats", "Heartbeat", each.id), () =>
        sightOf(each, beats.get(each.id), now, timesFor(each)),
      );
      const isKnown = context && !mayHaveCalled(each, context, awakeSec);
      sights.push({ watched: watchedOf(each), ...(isKnown ? { context } : UNKNOWN) });
      await breathe();
    }
    return sights;
  };
}
