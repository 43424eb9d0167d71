import { type Episode, episodeOf, type Spell } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { Member, NoticeHold, Problem, Route, RouteDigest } from "../../model.ts";
import { join, placeFor } from "../flapping/join.ts";
import { type Draft, type Facts, flapOf, latestOf, type Sight } from "../problem/facts.ts";
import { settle } from "../problem/settle.ts";
import { type Firing, keyOf, routesFor } from "../routing/match.ts";
import { memberKey, membersBeside } from "./beside.ts";
import type { PastFiring, Question } from "./past-firing.ts";

export type { PastFiring, Question };

/** Rules that decide about notices, for any past time. */
export interface PastRules {
  /** Unix seconds of the last look. */
  readonly until: number;
  readonly routes: readonly Route[];
  readonly isOpen: (route: Route, at: number) => boolean;
  readonly isDigestDue: (digest: RouteDigest, since: number, at: number) => boolean;
  /** Seconds for which a problem with this first firing waits for others to join. */
  readonly waitOf: (route: Route, firing: Firing) => number;
  readonly unreachable: (receiver: string, at: number, former?: readonly string[]) => NoticeHold | undefined;
  readonly onDuty: (receiver: string, at: number) => string | undefined;
  readonly keepsState: (receiver: string) => boolean;
  /** Seconds that a firing has to end by itself after its hold has ended. */
  readonly settle?: number;
  /** Maximum notices within an hour to a receiver; 0 = any number. */
  readonly perHour: (receiver: string, severity: string) => number;
  /** Maximum notices within an hour to all receivers together; absent = any number. */
  readonly perHourOfAll?: number;
  /** True when opening hours, digests or people on duty can change something at any minute. */
  readonly hasHours: boolean;
}

export interface PastNotice extends Draft {
  /** Unix seconds. */
  readonly date: number;
  readonly route: string;
}

export interface Replayed {
  readonly notices: readonly PastNotice[];
  /** Kinds of holds that each firing had at some time, by invocation; the last one last. */
  readonly heldBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** The replay stopped early, because there were more notices or looks than allowed. */
  readonly truncated: boolean;
}

interface Most {
  readonly notices: number;
  /** Decisions about one firing and one receiver. */
  readonly looks: number;
}

const MINUTE = 60;
const HOUR = 3600;

/**
 * Computes the notices that past firings would have had: runs the current rules over a clock that jumps from change to change. It
 * calls the same `settle` as live decisions, so the two cannot drift apart. Yields after each time, so that other work gets a
 * turn.
 */
export function* replay(firings: readonly PastFiring[], rules: PastRules, most: Most): Generator<void, Replayed> {
  const past = new Past(firings, rules);
  for (let now = past.next(); now <= rules.until; now = past.next()) {
    past.look(now);
    if (past.notices.length > most.notices || past.looks > most.looks) break;
    yield;
  }
  const { notices, heldBy, looks } = past;
  const truncated = notices.length > most.notices || looks > most.looks;
  return { notices: notices.slice(0, most.notices), heldBy, truncated };
}

/** Invocations by the times at which they change. */
function changesOf(firings: readonly PastFiring[]): Map<number, Set<string>> {
  const changes = new Map<number, Set<string>>();
  for (const { invocation, from, to, holds, question } of firings)
    for (const time of [from, to, question?.answered, question?.lost, ...holds.flatMap((each) => [each.from, each.to])])
      if (time !== undefined) changes.set(time, (changes.get(time) ?? new Set<string>()).add(invocation));
  return changes;
}

const NEVER = Number.POSITIVE_INFINITY;
const NONE: ReadonlySet<string> = new Set();

class Past {
  readonly notices: PastNotice[] = [];
  readonly heldBy = new Map<string, Set<string>>();
  looks = 0;
  readonly #firings: readonly PastFiring[];
  readonly #rules: PastRules;
  readonly #byId: ReadonlyMap<string, PastFiring>;
  readonly #spells: ReadonlyMap<string, readonly PastFiring[]>;
  readonly #changes: ReadonlyMap<number, ReadonlySet<string>>;
  /** Times of future changes, the latest first. */
  readonly #times: number[];
  /** Index of the next firing, in order of start. */
  #begun = 0;
  #live: PastFiring[] = [];
  #open: Problem[] = [];
  /** Keys (`memberKey`) of firings that have joined a problem. */
  readonly #joined = new Set<string>();
  /** Members of open and closed problems, by `memberKey`. */
  readonly #members = new Map<string, Member>();
  #now = Number.NEGATIVE_INFINITY;

  constructor(firings: readonly PastFiring[], rules: PastRules) {
    this.#firings = firings.toSorted((a, b) => a.from - b.from);
    this.#rules = rules;
    this.#byId = new Map(firings.map((each) => [each.invocation, each]));
    this.#spells = Map.groupBy(this.#firings, subjectOf);
    this.#changes = changesOf(firings);
    this.#times = [...this.#changes.keys()].toSorted((a, b) => b - a);
  }

  /** The next time to look at. */
  next(): number {
    const isWaiting = this.#rules.hasHours && (this.#open.length > 0 || this.#live.length > 0);
    const tick = isWaiting ? (Math.floor(this.#now / MINUTE) + 1) * MINUTE : NEVER;
    let next = Math.min(this.#times.at(-1) ?? NEVER, tick);
    for (const { due } of this.#open) next = Math.min(next, due ?? NEVER);
    next = Math.max(next, this.#now + 1);
    while (this.#times.length > 0 && (this.#times.at(-1) ?? NEVER) <= next) this.#times.pop();
    return next;
  }

  look(now: number): void {
    this.#now = now;
    const begun: PastFiring[] = [];
    for (let next = this.#firings[this.#begun]; next && next.from <= now; next = this.#firings[++this.#begun])
      begun.push(next);
    const isLive = ({ to }: PastFiring): boolean => to === undefined || to > now;
    this.#live = [...this.#live, ...begun].filter(isLive);
    for (const firing of this.#rules.hasHours ? this.#live : begun.filter(isLive)) this.#takeIn(firing);
    const changed = this.#changes.get(now) ?? NONE;
    this.#open = this.#open.flatMap((problem) => (this.#isDue(problem, changed) ? this.#settle(problem) : [problem]));
  }

  #isDue({ due, members }: Problem, changed: ReadonlySet<string>): boolean {
    if (this.#rules.hasHours || (due ?? NEVER) <= this.#now) return true;
    return changed.size > 0 && members.some((each) => changed.has(each.invocation) || changed.has(latestOf(each)));
  }

  #takeIn(past: PastFiring): void {
    const { isOpen, routes } = this.#rules;
    for (const route of routesFor(routes, past.firing, (each) => isOpen(each, this.#now))) {
      const mark = `${past.invocation} ${route.id}`;
      if (this.#joined.has(mark)) continue;
      this.#joined.add(mark);
      const key = keyOf(route, past.firing);
      const { severity, alert, place: server } = past.firing;
      const told = { joined: this.#now, told: {}, standing: {} };
      const member: Member = { invocation: past.invocation, alert, server, severity, ...told };
      const own = this.#open.filter((each) => each.route === route.id);
      const place = placeFor(own, key, member);
      const { members, partOf } = join(place?.members ?? [], member, this.#episodeWith(past));
      if (partOf) this.#noteHeld(past.invocation, "flapping");
      const problem = place ?? this.#opened(route, key, severity);
      this.#open = [
        ...this.#open.filter((each) => each !== place),
        { ...problem, members: [...members], due: this.#now },
      ];
    }
  }

  #opened = (route: Route, key: string, severity: string): Problem => ({
    id: `pg${this.#joined.size}`,
    route: route.id,
    key,
    severity,
    opened: this.#now,
    closed: null,
    members: [],
    sides: {},
    steps: 0,
    due: this.#now,
  });

  #episodeWith(past: PastFiring): Episode | undefined {
    const spells: Spell[] = [];
    for (const each of this.#spells.get(subjectOf(past)) ?? []) {
      if (each.from > past.from) break;
      spells.push({ from: each.from, to: each.to !== undefined && each.to <= this.#now ? each.to : undefined });
    }
    return episodeOf(spells, past.flapRule);
  }

  /** Decides about a problem, and answers it unless it is closed. */
  #settle(before: Problem): Problem[] {
    const { problem, drafts } = settle(
      { ...before, members: membersBeside(before, this.#rules.routes, this.#members) },
      this.#factsOf(before),
    );
    this.looks += problem.members.length * Object.keys(problem.sides).length;
    for (const draft of drafts) this.notices.push({ ...draft, date: this.#now, route: problem.route });
    for (const member of problem.members) {
      this.#note(member);
      this.#members.set(memberKey(member.invocation, problem.route), member);
    }
    return problem.closed === null ? [{ ...problem, due: releasedBy(problem, this.#now) }] : [];
  }

  #note({ invocation, hold, standing }: Member): void {
    const kinds = [
      hold?.kind,
      ...Object.values(standing).map(({ verdict, by }) => (verdict === "held" ? by?.kind : undefined)),
    ];
    for (const kind of kinds) if (kind) this.#noteHeld(invocation, kind);
  }

  #noteHeld(invocation: string, kind: string): void {
    const kinds = this.heldBy.get(invocation) ?? new Set<string>();
    // Re-adds the kind, so that the last hold is last in the set.
    kinds.delete(kind);
    this.heldBy.set(invocation, kinds.add(kind));
  }

  #factsOf({ members, route: id }: Problem): Facts {
    const now = this.#now;
    const {
      isDigestDue,
      isOpen,
      keepsState,
      onDuty,
      perHour,
      perHourOfAll = 0,
      routes,
      settle: sec,
      unreachable,
      waitOf,
    } = this.#rules;
    const route = routes.find((each) => each.id === id) as Route;
    const first = this.#byId.get(members[0]?.invocation ?? "")?.firing as Firing;
    const isClosed = route.outside === "hold" && !isOpen(route, now);
    const { digest } = route;
    return {
      now,
      ...(sec === undefined ? {} : { settle: sec }),
      timing: { ...route, group_wait: waitOf(route, first) },
      sights: new Map(members.map((member) => [member.invocation, this.#sightOf(member)])),
      ...(isClosed ? { closed: { kind: "hours", id: route.id, title: route.title } } : {}),
      ...(digest ? { digestDue: (since) => isDigestDue(digest, since, now) } : {}),
      unreachable: (receiver, former) => unreachable(receiver, now, former),
      onDuty: (receiver) => onDuty(receiver, now),
      keepsState,
      // The back-test does not know through whose link a firing would be acknowledged.
      isTaker: (receiver, taker) => taker === `link:${receiver}`,
      full: (receiver, severity) =>
        this.#fullness(receiver, perHour(receiver, severity)) ?? this.#fullness(undefined, perHourOfAll),
      newId: () => `no${this.notices.length}`,
    };
  }

  #sightOf(member: Member): Sight {
    const now = this.#now;
    const past = this.#byId.get(latestOf(member)) as PastFiring;
    const { from, to, holds, endsUntold } = past;
    const ended = to !== undefined && to <= now ? to : undefined;
    const { hold, also } = holds.find((each) => each.from <= now && (each.to === undefined || each.to > now)) ?? {};
    const sight: Sight = {
      severity: past.firing.severity,
      ended,
      hold,
      ...(also?.length ? { also } : {}),
      ...(flapOf(member) === undefined ? {} : { changed: ended ?? from }),
      ...(ended === undefined ? {} : { endsUntold }),
    };
    return ended === undefined || !past.question ? sight : { ...sight, ...answerTo(past, past.question, now) };
  }

  /** The hold of a receiver that has had its maximum of notices within the hour; undefined = all receivers together. */
  #fullness(receiver: string | undefined, most: number): NoticeHold | undefined {
    if (most === 0) return undefined;
    const recent: number[] = [];
    for (let at = this.notices.length - 1; at >= 0 && (this.notices[at]?.date ?? 0) > this.#now - HOUR; at--)
      if (receiver === undefined || this.notices[at]?.receiver === receiver) recent.push(this.notices[at]?.date ?? 0);
    if (recent.length < most) return undefined;
    const [id, title] = [receiver ?? "", receiver ?? "all receivers"];
    return { kind: "rate", id, title, until: (recent.at(-1) ?? this.#now) + HOUR };
  }
}

/** Unix seconds of the next change without a new firing, which includes ends of holds; null = none. */
function releasedBy({ due, members }: Problem, now: number): number | null {
  const ends = members.flatMap(({ hold }) => (hold?.until !== undefined && hold.until > now ? hold.until : []));
  const next = Math.min(due ?? NEVER, ...ends);
  return next < NEVER ? next : null;
}

/** Facts about the end of a firing whose data stopped arriving. */
function answerTo({ firing }: PastFiring, { returned, answered, lost }: Question, now: number): Partial<Sight> {
  if (answered !== undefined && answered <= now) return { ended: returned };
  if (now < lost) return { isQuestion: true };
  return { endsUntold: { kind: "no_data", id: firing.server, title: "ended without data" } };
}

const subjectOf = ({ firing: { alert, place } }: PastFiring): string => `${place} ${alert}`;
