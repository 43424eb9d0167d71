import { createBreath } from "../../../../kernel/running/breath.ts";
import { takeIn } from "../problems/intake.ts";
import { readOpenProblems } from "../problems/open-problems.ts";
import { routesIn } from "../problems/routes.ts";
import { type DecideDeps, decideOne } from "./decide.ts";
import type { DutyRoster } from "./duty.ts";
import type { Hours } from "./hours.ts";

/** Seconds between full looks, which find the changes of other nodes. Changes of this node wake the rounds at once. */
const LOOK_EVERY_SEC = 10;

/** The leader's work of each second: it looks at all problems now and then, and decides the due ones in between. */
export interface Rounds {
  decide(now: number, signal: AbortSignal): Promise<void>;
  /** Makes the next round look at all problems. */
  wake(): void;
}

interface Times {
  readonly hours: Hours;
  readonly duty: DutyRoster;
}

export function createRounds(deps: DecideDeps, { hours, duty }: Times): Rounds {
  let look = Number.NEGATIVE_INFINITY;
  /** Unix seconds at which each open problem is due, as of the last look. */
  let dues = new Map<string, number>();
  const lookAtAll = async (now: number, signal: AbortSignal): Promise<void> => {
    look = now + LOOK_EVERY_SEC;
    const isRouted = routesIn(deps).some(({ enabled }) => enabled);
    const known = await readOpenProblems(deps);
    if (isRouted || deps.alerts.byProblem.isUsed()) await takeIn(deps, { hours, known }, signal);
    dues = new Map([...known.ids].map((id) => [id, now]));
  };
  /** Decides the due problems; the others cannot change before the next look. */
  const decideDue = async (now: number, signal: AbortSignal): Promise<void> => {
    const breathe = createBreath(deps.clock, signal);
    for (const [id, due] of dues) {
      if (signal.aborted) return;
      if (due > now) continue;
      // Set first, so that a problem that fails is retried only with the next look and does not block the others.
      dues.set(id, now + LOOK_EVERY_SEC);
      const matter = { task: "notices", noun: "Problem", id, signal };
      const next = await deps.apart.run(matter, () => decideOne(deps, { hours, duty, breathe }, id));
      dues.set(id, Math.max(next ?? Number.POSITIVE_INFINITY, now + 1));
    }
  };
  return {
    async decide(now, signal) {
      if (!deps.config.notices.enabled) return;
      // After the clock was set back, all stored times are far ahead.
      if (now >= look || now < look - LOOK_EVERY_SEC) await lookAtAll(now, signal);
      await decideDue(now, signal);
    },
    wake() {
      look = Number.NEGATIVE_INFINITY;
    },
  };
}
