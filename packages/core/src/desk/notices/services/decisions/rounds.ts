import { hasNoInvocations, invocationRecords } from "../../../../fleet/alerts/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import { rememberedReads } from "../../../../kernel/searches/remembered-reads.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { problemCollection } from "../../collection.ts";
import { latestOf } from "../../rules/problem/facts.ts";
import { takeIn } from "../problems/intake.ts";
import { readOpenProblems } from "../problems/open-problems.ts";
import { routesIn } from "../problems/routes.ts";
import { type DecideDeps, type Decided, decideOne, decisionOn, dueOf, type Times } from "./decide.ts";
import type { DutyRoster } from "./duty.ts";
import type { Hours } from "./hours.ts";

/** Seconds between full looks, which find the changes of other nodes. Changes of this node wake the rounds at once. */
const LOOK_EVERY_SEC = 10;

/** The leader's work of each second: it looks at all problems now and then, and decides the due ones in between. */
export interface Rounds {
  decide(now: number, signal: AbortSignal): Promise<void>;
  /** True = no look and no problem is due. */
  isIdle(now: number): boolean;
  /** Makes the next round look at all problems. */
  wake(): void;
}

type Deps = DecideDeps & Pick<Cradle, "storage">;

/** Problems that are decided together. */
const PAGE = 20;
/** Firings that are read ahead for them. */
const MAX_MEMBERS = 1000;
const NONE: ReadonlySet<string> = new Set();

interface Due {
  readonly ids: readonly string[];
  /** Problems that firings have just joined, so that a decision is due for certain. */
  readonly joined: ReadonlySet<string>;
}

/**
 * Decides about some problems and answers when each is due next. It looks in one snapshot first at all that no firing has joined,
 * since usually nothing has changed: hundreds of open problems would otherwise each cost a transaction every ten seconds.
 */
async function decideAll(
  deps: DecideDeps,
  times: Times,
  { ids, joined }: Due,
  signal: AbortSignal,
): Promise<[id: string, due: number | undefined][]> {
  const apart = <T>(id: string, work: () => Promise<T>): Promise<T | undefined> =>
    deps.apart.run({ task: "notices", noun: "Problem", id, signal }, work);
  const resting = ids.filter((id) => !joined.has(id));
  const looked = await deps.snapshot(async (tx) => {
    const reads = rememberedReads(tx);
    if (resting.length > 0) await prefetch(reads, resting);
    const decided = new Map<string, Decided | undefined>();
    for (const id of resting) decided.set(id, await apart(id, () => decisionOn(reads, deps, times, id)));
    return decided;
  });
  const dues: [string, number | undefined][] = [];
  for (const id of ids) {
    if (signal.aborted) break;
    const decided = looked.get(id);
    dues.push([
      id,
      joined.has(id) || decided?.isChanged ? await apart(id, () => decideOne(deps, times, id)) : dueOf(decided),
    ]);
  }
  return dues;
}

/** Reads what the decisions need with one query each. */
async function prefetch({ collection }: ReadTx, ids: readonly string[]): Promise<void> {
  try {
    const problems = await collection(problemCollection).getMany(ids);
    const invocations = problems.flatMap((problem) => problem?.members.map(latestOf) ?? []);
    await collection(invocationRecords).getMany(invocations.slice(0, MAX_MEMBERS));
  } catch {
    // The decisions read it again, and show which record is at fault.
  }
}

interface Open {
  readonly ids: ReadonlySet<string>;
  /** The open problems that firings have just joined. */
  readonly joined: ReadonlySet<string>;
}

/** Lets firings join the problems of their routes, and answers the open problems. */
async function openProblems(deps: Deps, hours: Hours, signal: AbortSignal): Promise<Open> {
  if (hasNoInvocations(deps.storage) && deps.storage.isKnownEmpty?.(problemCollection))
    return { ids: NONE, joined: NONE };
  const isRouted = routesIn(deps).some(({ enabled }) => enabled);
  const known = await readOpenProblems(deps);
  const takesIn = isRouted || deps.alerts.byProblem.isUsed();
  const joined = takesIn ? await takeIn(deps, { hours, known }, signal) : NONE;
  return { ids: new Set([...known.ids, ...joined]), joined };
}

export function createRounds(
  deps: Deps,
  { hours, duty }: { readonly hours: Hours; readonly duty: DutyRoster },
): Rounds {
  let look = Number.NEGATIVE_INFINITY;
  /** Unix seconds at which each open problem is due, as of the last look. */
  let dues = new Map<string, number>();
  // After the clock was set back, all stored times are far ahead.
  const isLookDue = (now: number): boolean => now >= look || now < look - LOOK_EVERY_SEC;
  /** Answers the ids of the problems that firings have joined. */
  const lookAtAll = async (now: number, signal: AbortSignal): Promise<ReadonlySet<string>> => {
    look = now + LOOK_EVERY_SEC;
    const { ids, joined } = await openProblems(deps, hours, signal);
    dues = new Map([...ids].map((id) => [id, now]));
    return joined;
  };
  /** Decides the due problems; the others cannot change before the next look. */
  const decideDue = async (now: number, joined: ReadonlySet<string>, signal: AbortSignal): Promise<void> => {
    const times = { hours, duty, breathe: createBreath(deps.clock, signal) };
    const due = [...dues].flatMap(([id, at]) => (at > now ? [] : id));
    for (let at = 0; at < due.length && !signal.aborted; at += PAGE) {
      const ids = due.slice(at, at + PAGE);
      // Set first, so that a problem that fails is retried only with the next look and does not block the others.
      for (const id of ids) dues.set(id, now + LOOK_EVERY_SEC);
      for (const [id, next] of await decideAll(deps, times, { ids, joined }, signal))
        dues.set(id, Math.max(next ?? Number.POSITIVE_INFINITY, now + 1));
    }
  };
  return {
    async decide(now, signal) {
      if (!deps.config.notices.enabled) return;
      const joined = isLookDue(now) ? await lookAtAll(now, signal) : NONE;
      await decideDue(now, joined, signal);
    },
    isIdle: (now) => !isLookDue(now) && [...dues.values()].every((due) => due > now),
    wake() {
      look = Number.NEGATIVE_INFINITY;
    },
  };
}
