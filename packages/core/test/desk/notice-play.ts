import type { NoticeHold, Problem } from "../../src/desk/notices/model.ts";
import type { Draft, Facts, Sight, Timing } from "../../src/desk/notices/rules/problem/facts.ts";
import { settle } from "../../src/desk/notices/rules/problem/settle.ts";

/** Something that happens to a firing at a second. */
export interface PlayEvent {
  readonly at: number;
  readonly id: string;
  readonly sight: Sight;
}

/** A story about one problem, for tests. */
export interface Play {
  readonly events: readonly PlayEvent[];
  readonly timing?: Partial<Timing>;
  readonly until?: number;
  /** Receivers that cannot be notified. */
  readonly gone?: readonly string[];
  /** Receivers that are notified, but the outcome is never known. */
  readonly unheard?: readonly string[];
  /** True for seconds without a leader, in which nothing is decided. */
  readonly isAway?: (at: number) => boolean;
  /** Two nodes lead at once, so each look happens twice. */
  readonly twice?: boolean;
  /** Second of the only digest; absent = the route has none. */
  readonly digest?: number;
  /** People on duty for the receiver "rota", each from a second on. */
  readonly duty?: readonly { readonly from: number; readonly name: string | undefined }[];
  /** Changes of the route and its receivers, each from a second on. */
  readonly changes?: readonly {
    readonly at: number;
    readonly timing?: Partial<Timing>;
    readonly gone?: readonly string[];
  }[];
  /** Second at which the route's hours begin; absent = the route is always open. */
  readonly closed?: number;
  /** Why no receiver may get further news at a second. */
  readonly full?: (at: number) => NoticeHold | undefined;
  readonly seen?: (problem: Problem, at: number) => void;
}

export interface PlayedNotice extends Draft {
  readonly at: number;
}

export const TIMING: Timing = {
  ...{ group_wait: 70, group_interval: 300, repeat_interval: 14_400, clear: "all", loop: 0 },
  steps: [{ after: 0, to: ["ops"] }],
};

const opened = (at: number): Problem => ({
  ...{ id: "pg1", route: "rt1", key: "", severity: "warning", opened: at, closed: null, members: [] },
  ...{ sides: {}, steps: 0, due: null },
});

/** Plays a story second by second, but looks only when something happened or is due, as the engine does. */
export function play(story: Play): PlayedNotice[] {
  const { events, until = 1000, isAway = () => false, seen, twice = false } = story;
  const eventsAt = Map.groupBy(events, ({ at }) => at);
  const times = timesOf(story);
  const sights = new Map<string, Sight>();
  const notices: PlayedNotice[] = [];
  let problem: Problem | undefined;
  let isNews = false;
  for (let now = 0; now <= until; now++) {
    for (const { id, sight } of eventsAt.get(now) ?? []) {
      sights.set(id, sight);
      isNews = true;
      if (sight.ended !== undefined && !problem?.members.some(({ invocation }) => invocation === id)) continue;
      problem ??= opened(now);
      problem = joined(problem, { id, sight, now });
    }
    const isTime = times.has(now) || (problem?.due != null && problem.due <= now);
    if (!problem || isAway(now) || !(isNews || isTime)) continue;
    isNews = false;
    const facts: Facts = { ...factsAt(now, story), sights, newId: () => `no${notices.length}` };
    const first = settle(problem, facts);
    const second = twice ? settle(first.problem, facts) : { problem: first.problem, drafts: [] };
    notices.push(...[...first.drafts, ...second.drafts].map((draft) => ({ ...draft, at: now })));
    seen?.(second.problem, now);
    problem = second.problem.closed === null ? second.problem : undefined;
  }
  return notices;
}

/** Seconds at which something outside of the problem changes. */
const timesOf = ({ digest, duty = [], changes = [], closed = 0 }: Play): ReadonlySet<number | undefined> =>
  new Set([digest, closed, ...duty.map(({ from }) => from), ...changes.map(({ at }) => at)]);

/** The facts about a story's route and receivers at a second. */
function factsAt(now: number, story: Play): Omit<Facts, "sights" | "newId"> {
  const { timing, digest, duty = [], changes = [], closed = 0, full = () => undefined } = story;
  const change = changes.findLast(({ at }) => at <= now);
  const gone = change?.gone ?? story.gone ?? [];
  return {
    now,
    timing: { ...TIMING, ...timing, ...change?.timing },
    ...(now < closed ? { closed: { kind: "hours", id: "rt1", title: "Office", until: closed } } : {}),
    unreachable: (receiver) => (gone.includes(receiver) ? { kind: "receiver", id: receiver, title: "" } : undefined),
    isUnheard: (receiver) => story.unheard?.includes(receiver) ?? false,
    keepsState: (receiver) => receiver === "pager",
    isTaker: (receiver, taker) => receiver === taker,
    onDuty: (receiver) => (receiver === "rota" ? duty.findLast(({ from }) => from <= now)?.name : undefined),
    ...(digest === undefined ? {} : { digestDue: (since: number) => since < digest && now >= digest }),
    full: () => full(now),
  };
}

function joined(problem: Problem, { id, sight, now }: { id: string; sight: Sight; now: number }): Problem {
  if (problem.members.some(({ invocation }) => invocation === id)) return problem;
  const { severity } = sight;
  const member = { invocation: id, alert: "hot", server: id, severity, joined: now, told: {}, standing: {} };
  return { ...problem, members: [...problem.members, member] };
}

/** Notices as lines "at 70 firing to ops: +a +b"; names with + are new, with * repeated, with - over. */
export const told = (story: Play): string[] =>
  play(story).map(({ at, kind, receiver, new: fresh, repeated, over }) =>
    [
      `${at} ${kind} to ${receiver}:`,
      ...fresh.map((id) => `+${id}`),
      ...repeated.map((id) => `*${id}`),
      ...over.map((id) => `-${id}`),
    ].join(" "),
  );

/** A live firing, and one that ended at a second. */
export const live = (members: Partial<Sight> = {}): Sight => ({ severity: "warning", ...members });
export const ended = (at: number, members: Partial<Sight> = {}): Sight => ({
  severity: "warning",
  ended: at,
  ...members,
});
