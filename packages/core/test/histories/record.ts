import { decisionCollection, noticeCollection, problemCollection } from "../../src/desk/notices/collection.ts";
import type { Decision, Notice, Problem, Route } from "../../src/desk/notices/model.ts";
import { decisionOf } from "../../src/desk/notices/services/decisions/decisions.ts";
import { activityCollection } from "../../src/directory/activity/collection.ts";
import { invocationCollection } from "../../src/fleet/alerts/collection.ts";
import type { Invocation } from "../../src/fleet/alerts/model.ts";
import type { ReadTx } from "../../src/ports/storage/storage.ts";
import type { Span } from "./promises/spans.ts";

/** A request or mail that reached the outside. Unix seconds. */
export interface Attempt {
  readonly at: number;
  readonly receiver: string;
  /** Key of the notice, the same for each attempt at it. */
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
  /** True = it ended for want of data. */
  readonly isStale?: boolean;
  readonly continues?: string;
  readonly isFlapping?: boolean;
  /** Acknowledged, without a request to be told of its end. */
  readonly isTakenOver?: boolean;
  /** Times in which something may hold it, and in which a silence or an acknowledgement does for sure. */
  readonly maybeHeld: readonly Span[];
  readonly held: readonly Span[];
  readonly taken: readonly Span[];
}

export interface RouteRules extends Pick<Route, "id" | "group_interval" | "repeat_interval" | "clear"> {
  readonly group_wait: number;
  /** Receivers of its first step that can be told, before a change and after it. */
  readonly first: readonly string[];
  /** Change of the first step's receivers, from a time on. Unix seconds. */
  readonly changed?: { readonly at: number; readonly before: readonly string[]; readonly after: readonly string[] };
  /** All of its receivers that can be told. */
  readonly named: readonly string[];
  /** Times in which it tells at once. */
  readonly open: readonly Span[];
  /** Unix seconds. */
  readonly digests?: readonly number[];
  /** Severities; empty = all. */
  readonly match: readonly string[];
  /** Outside of its hours it does not match, and nothing waits. */
  readonly skips?: boolean;
}

/** A watched subject beside minutes of servers, by plan. Times are Unix seconds. */
export interface WatchedRecord {
  /** The only alert on it. */
  readonly alert: string;
  readonly bad: readonly Span[];
  /** Seconds within which a longer bad state is noticed. */
  readonly within: number;
}

/** Record of one history, as far as notices are concerned. Times are Unix seconds. */
export interface Recorded {
  readonly firings: readonly (Firing & { readonly severity: string })[];
  readonly watched: readonly WatchedRecord[];
  readonly routes: readonly RouteRules[];
  /** Notices within an hour, by receiver; 0 = any number. */
  readonly perHour: Readonly<Record<string, number>>;
  /** Changes of the person behind a receiver at which each notice arrives. Unix seconds. */
  readonly duties: readonly { readonly receiver: string; readonly at: number }[];
  readonly notices: readonly Notice[];
  readonly problems: readonly Problem[];
  /** Decisions, current ones included. */
  readonly decisions: readonly Decision[];
  readonly attempts: readonly Attempt[];
  /** Ids of notices of which the log of activity says that they failed, and that there is no fallback. */
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

/** First receivers of a route for firings of a time: of both versions, if firings live before and after a change. */
export function firstOf({ first, changed }: RouteRules, { from, to }: Span): readonly string[] {
  if (changed && from > changed.at) return changed.after;
  return changed && to < changed.at ? changed.before : first;
}

/** Faults of a record by one promise, a sentence each; none = the promise was kept. */
export type Promised = (recorded: Recorded) => string[];

/** Firings that count as one for notices: one goes on from another, or is part of its flapping. */
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
