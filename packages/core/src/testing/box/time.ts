import type { FakeClock } from "../fake-clock.ts";
import type { Activity } from "./activity.ts";
import { type Duration, type Moment, momentOf, secondsOf, type WallClock } from "./moment.ts";

/** The time of a box, and the ways to move it. */
export interface Time {
  advanceTo(moment: Moment): Promise<void>;
  advanceBy(duration: Duration): Promise<void>;
  /** Advances time until a condition holds; `what` names it in the error. */
  until(what: string, holds: () => boolean | Promise<boolean>, within?: Duration): Promise<void>;
  /** Waits for work of the engine, and advances time only when the work waits for it. `what` names it in the error. */
  drive(what: string, work: Promise<void>): Promise<void>;
}

const WITHIN: Duration = { hours: 1 };
/** Seconds of the box after which the work counts as hung. */
const MAX_DRIVE_SEC = 3600;

export function createTime(clock: FakeClock, wall: WallClock, activity: Activity): Time {
  return {
    async advanceTo(moment) {
      const now = clock.now();
      const target = momentOf(moment, now, wall);
      if (target < now) throw new RangeError(`It is ${shown(now)} already: time cannot move to ${shown(target)}`);
      await clock.advanceTo(target);
    },
    advanceBy: async (duration) => clock.advance(secondsOf(duration)),
    async until(what, holds, within = WITHIN) {
      const seconds = secondsOf(within);
      const end = clock.now() + seconds;
      await activity.settle();
      while (!(await holds())) {
        if (await clock.advanceToNext(end - clock.now())) continue;
        await clock.advanceTo(Math.max(end, clock.now()));
        if (await holds()) return;
        throw new Error(`${what} did not come within ${seconds} seconds, until ${shown(end)}`);
      }
    },
    drive: (what, work) => drive({ clock, activity }, what, work),
  };
}

async function drive({ clock, activity }: DriveTools, what: string, work: Promise<void>): Promise<void> {
  const held = activity.hold(what);
  let isOver = false;
  const watched = work.finally(() => {
    isOver = true;
    held.end();
  });
  // A failure is handled below; until then it must not count as unhandled.
  watched.catch(() => undefined);
  const end = clock.monotonicMs() + MAX_DRIVE_SEC * 1000;
  await activity.settle();
  while (!isOver && clock.monotonicMs() < end) {
    if (await clock.advanceToNext((end - clock.monotonicMs()) / 1000)) continue;
    // Nothing waits for time any more.
    await Promise.all([activity.during(what, () => watched), activity.settle()]);
  }
  if (!isOver) throw new Error(`${what} takes more than an hour of the box`);
  await watched;
}

interface DriveTools {
  readonly clock: FakeClock;
  readonly activity: Activity;
}

const shown = (time: number): string => new Date(time * 1000).toISOString();
