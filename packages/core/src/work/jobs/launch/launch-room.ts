import type { Cradle } from "../../../kernel/container.ts";
import { anyOf, atLeast } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";

/** The launches that a node may still make per minute of the clock, under the cap on the launches of all nodes. */
export interface LaunchRoom {
  /** Reserves one launch: in this minute, or in a later one for launches that can wait; undefined = this minute is full. */
  take(isPatient: boolean): Promise<LaunchPlace | undefined>;
  /** A single node stores no counters: after a start it counts the launches of jobs that are still active. */
  recover(): Promise<void>;
}

export interface LaunchPlace {
  /** Unix seconds of a later minute; absent = now. */
  readonly at?: number;
  /** Returns the reservation when the launch was rolled back. */
  giveBack(): void;
}

interface Minute {
  /** Granted to this node and unused. */
  left: number;
  /** The storage grants no more while at least this much is kept free. */
  fullWith: number;
  /** Pending request for room, shared by all launches that find none. */
  asking: Promise<void> | undefined;
}

const MINUTE = 60;
/**
 * Part of each later minute that launches which can wait leave free: a thousand jobs of one workflow would otherwise refuse all
 * calls of people and programs for ten minutes.
 */
const KEPT_FREE = 0.2;

type Deps = Pick<Cradle, "clock" | "config" | "snapshot" | "storage">;

interface Minutes {
  /** False when the minute with this number has no more room than is kept free. */
  take(number: number, kept: number): Promise<boolean>;
  /** Adds unused room; negative for launches that must be counted afterwards. */
  add(number: number, count: number): void;
  /** Adjusts to a changed cap: the difference, negative if it became smaller. */
  widen(by: number): void;
  forgetBefore(number: number): void;
}

/**
 * Room is granted in shares that the node spends in memory: if each launch updated one row, the launches of all nodes would be
 * serialised. A single node owns all room and requests nothing.
 */
function createMinutes({ config, storage }: Pick<Deps, "config" | "storage">): Minutes {
  const { coordination } = storage;
  const minutes = new Map<number, Minute>();
  const minuteOf = (number: number): Minute => {
    const known = minutes.get(number);
    if (known) return known;
    const isAlone = coordination.takeShare === undefined;
    const minute = {
      left: isAlone ? config.max_jobs_per_min : 0,
      fullWith: isAlone ? 0 : Number.POSITIVE_INFINITY,
      asking: undefined,
    };
    minutes.set(number, minute);
    return minute;
  };
  const ask = async (number: number, minute: Minute, kept: number): Promise<void> => {
    const granted = (await coordination.takeShare?.({ minute: number, most: config.max_jobs_per_min - kept })) ?? 0;
    minute.left += granted;
    if (granted === 0) minute.fullWith = kept;
  };
  return {
    take(number, kept) {
      const minute = minuteOf(number);
      // The storage grants room without the part that is kept free.
      const spare = coordination.takeShare ? 0 : kept;
      return takeFrom(minute, { kept, spare, ask: () => ask(number, minute, kept) });
    },
    add(number, count) {
      minuteOf(number).left += count;
    },
    widen(by) {
      for (const minute of minutes.values())
        if (coordination.takeShare) minute.fullWith = Number.POSITIVE_INFINITY;
        else minute.left += by;
    },
    forgetBefore(number) {
      for (const each of minutes.keys()) if (each < number) minutes.delete(each);
    },
  };
}

interface Taking {
  readonly kept: number;
  /** Part of `left` that must remain. */
  readonly spare: number;
  ask(): Promise<void>;
}

/** Concurrent callers for one minute share a request. */
async function takeFrom(minute: Minute, { kept, spare, ask }: Taking): Promise<boolean> {
  while (minute.left <= spare && kept < minute.fullWith) {
    minute.asking ??= ask().finally(() => {
      minute.asking = undefined;
    });
    await minute.asking;
  }
  if (minute.left <= spare) return false;
  minute.left -= 1;
  return true;
}

export function createLaunchRoom(deps: Deps): LaunchRoom {
  const { clock, config } = deps;
  const minutes = createMinutes(deps);
  /** All earlier minutes are over or known to be full. */
  let open = 0;
  /** Minute of the last launch. */
  let last = 0;
  let cap = config.max_jobs_per_min;
  /** Applies a changed cap from the next launch on, also to minutes that have begun. */
  const followCap = (): void => {
    if (config.max_jobs_per_min === cap) return;
    minutes.widen(config.max_jobs_per_min - cap);
    cap = config.max_jobs_per_min;
    open = 0;
  };
  const present = (): number => presentMinute(clock);
  const placeIn = (number: number): LaunchPlace => ({
    ...(number > present() ? { at: number * MINUTE } : {}),
    giveBack() {
      minutes.add(number, 1);
      open = Math.min(open, number);
    },
  });
  const keptIn = (number: number): number => (number > last ? Math.floor(cap * KEPT_FREE) : 0);
  return {
    async take(isPatient) {
      const now = present();
      // The clock was set back: minutes that were full are in the future again, and earlier ones may have room.
      if (now < last) open = 0;
      last = now;
      minutes.forgetBefore(now);
      followCap();
      if (!isPatient) return (await minutes.take(now, 0)) ? placeIn(now) : undefined;
      for (let number = Math.max(now, open); ; number++) {
        if (await minutes.take(number, keptIn(number))) return placeIn(number);
        open = number + 1;
      }
    },
    recover: () => countActive(deps, minutes),
  };
}

async function countActive({ clock, config, snapshot, storage }: Deps, minutes: Minutes): Promise<void> {
  if (storage.coordination.takeShare !== undefined || config.max_jobs_per_min === 0) return;
  const now = presentMinute(clock);
  const { rows } = await snapshot((tx) => tx.collection(activeJobCollection).find(since(now * MINUTE)));
  for (const job of rows) minutes.add(Math.max(now, minuteOfLaunch(job)), -1);
}

const presentMinute = (clock: Deps["clock"]): number => Math.floor(clock.now() / MINUTE);

const minuteOfLaunch = ({ launched, job }: ActiveJob): number => Math.floor((job.until ?? launched) / MINUTE);

const since = (seconds: number) => anyOf(["launched", "until"].map((field) => atLeast(field, seconds)));
