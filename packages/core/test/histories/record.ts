import { decisionCollection, noticeCollection, problemCollection } from "../../src/desk/notices/collection.ts";
import type { Decision, Notice, Problem, Route } from "../../src/desk/notices/model.ts";
import { decisionOf } from "../../src/desk/notices/services/decisions/decisions.ts";
import { activityCollection } from "../../src/directory/activity/collection.ts";
import { invocationCollection } from "../../src/fleet/alerts/collection.ts";
import type { Invocation } from "../../src/fleet/alerts/model.ts";
import type { ReadTx } from "../../src/ports/storage/storage.ts";
import type { Span } from "./promises/spans.ts";

/** A request or mail that left the engine. Times are Unix seconds. */
export interface Attempt {
  readonly at: number;
  readonly receiver: string;
  /** Key of the notice, the same for every attempt at it. */
  readonly key: string;
}

export interface Firing {
  readonly id: string;
  readonly alert: string;
  readonly server: string;
  /** Unix seconds. */
  readonly fired: number;
  /** Absent = it is live. */
  readonly ended?: number;
  /** True = it ended because data stopped arriving. */
  readonly isStale?: boolean;
  readonly continues?: string;
  readonly isFlapping?: boolean;
  /** Acknowledged without a request for a notice of its end. */
  readonly isTakenOver?: boolean;
  /** Times in which something may hold it, and (`held`, `taken`) in which a silence or an acknowledgement certainly does. */
  readonly maybeHeld: readonly Span[];
  readonly held: readonly Span[];
  readonly taken: readonly Span[];
}

export interface RouteRules extends Pick<Route, "id" | "group_interval" | "repeat_interval" | "clear"> {
  readonly group_wait: number;
  /** Reachable receivers of its first step, before and after a change. */
  readonly first: readonly string[];
  /** When the first step's receivers change. Unix seconds. */
  readonly changed?: { readonly at: number; readonly before: readonly string[]; readonly after: readonly string[] };
  /** All of its receivers that are reachable. */
  readonly named: readonly string[];
  /** Times in which it notifies at once. */
  readonly open: readonly Span[];
  /** Unix seconds. */
  readonly digests?: readonly number[];
  /** Severities; empty = all. */
  readonly match: readonly string[];
  /** Outside of its hours the route does not match, and nothing waits. */
  readonly skips?: boolean;
}

/** A planned watched subject, other than minutes of servers. Times are Unix seconds. */
export interface WatchedRecord {
  /** The only alert on it. */
  readonly alert: string;
  readonly bad: readonly Span[];
  /** Seconds within which a bad state of longer duration is noticed. */
  readonly within: number;
}

/** Record of one history, as far as it concerns notices. Times are Unix seconds. */
export interface Recorded {
  readonly firings: readonly (Firing & { readonly severity: string })[];
  readonly watched: readonly WatchedRecord[];
  readonly routes: readonly RouteRules[];
  /** Most notices within an hour, by receiver; 0 = unlimited. */
  readonly perHour: Readonly<Record<string, number>>;
  /** Changes of the person on duty, for receivers at which each notice arrives. Unix seconds. */
  readonly duties: readonly { readonly receiver: string; readonly at: number }[];
  readonly notices: readonly Notice[];
  readonly problems: readonly Problem[];
  /** Decisions, including current ones. */
  readonly decisions: readonly Decision[];
  readonly attempts: readonly Attempt[];
  /** Ids of notices that, according to the activity log, failed and have no fallback. */
  readonly noFallback: readonly string[];
  /** Times without a leader. */
  readonly away: readonly Span[];
  readonly end: number;
}

export interface Rows extends Pick<Recorded, "notices" | "problems" | "decisions" | "noFallback"> {
  readonly invocations: readonly Invocation[];
}

/** All rows of notices in a storage. */
export async function rowsIn(tx: ReadTx): Promise<Rows> {
  const problems = await tx.collection(problemCollection).list();
  const standing = problems.flatMap((problem) =>
    problem.members.flatMap((member) =>
      Object.entries(member.standing).map(([receiver, each]) =>
        decisionOf(problem, member, { receiver, standing: each }),
      ),
    ),
  );
  const failed = (await tx.collection(activityCollection).list()).filter(({ action }) => action === "notice_failed");
  return {
    problems,
    notices: await tx.collection(noticeCollection).list(),
    decisions: [...(await tx.collection(decisionCollection).list()), ...standing],
    invocations: await tx.collection(invocationCollection).list(),
    noFallback: failed.flatMap(({ description = "", ...row }) =>
      description.endsWith("no fallback") ? [(row as unknown as { notice: { id: string } }).notice.id] : [],
    ),
  };
}

/** First receivers of a route for firings live in a span: of both versions, if the span includes a change. */
export function firstOf({ first, changed }: RouteRules, { from, to }: Span): readonly string[] {
  if (changed && from > changed.at) return changed.after;
  return changed && to < changed.at ? changed.before : first;
}

/** Checks one promise on a record and returns a sentence per fault; none = the promise was kept. */
export type Promised = (recorded: Recorded) => string[];

/** Groups of firings that count as one for notices: one continues another, or they are part of one flapping. */
export function livesOf({ firings }: Pick<Recorded, "firings">): (readonly Recorded["firings"][number][])[] {
  const lives: Recorded["firings"][number][][] = [];
  for (const firing of firings.toSorted((a, b) => a.fired - b.fired)) {
    const before = lives.findLast((life) =>
      life.some(
        ({ id, alert, server, isFlapping }) =>
          id === firing.continues ||
          (alert === firing.alert && server === firing.server && isFlapping && firing.isFlapping),
      ),
    );
    if (before) before.push(firing);
    else lives.push([firing]);
  }
  return lives;
}
