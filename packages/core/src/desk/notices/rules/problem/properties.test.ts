import fc from "fast-check";
import { expect, test } from "vitest";
import { type Play, type PlayEvent, type PlayedNotice, play, TIMING } from "../../../../../test/desk/notice-play.ts";
import type { NoticeHold, Problem } from "../../model.ts";
import type { Sight, Timing } from "./facts.ts";

/** Number of histories; the soak test sets it. */
const HISTORIES = Number(process.env["SIGNALBOX_HISTORIES"] ?? 300);
const END = 4000;
/** Each person is on duty for 700 seconds. */
const SHIFT = 700;
const DUTY = ["ann", "bob", "ann", "cleo", "dan", "bob"].map((name, at) => ({ from: at * SHIFT, name }));
const shiftAt = (at: number): number => Math.floor(at / SHIFT) * SHIFT;
const silence: NoticeHold = { kind: "silence", id: "q1", title: "Works" };
const acknowledgement: NoticeHold = { kind: "acknowledgement", id: "ann", title: "" };

/** Next state of a firing; "silent" = its server stops sending data. */
const CHANGES = ["free", "free", "held", "acknowledged", "over", "over", "silent"] as const;
type Change = (typeof CHANGES)[number];

interface Life {
  readonly start: number;
  readonly changes: readonly { readonly after: number; readonly what: Change }[];
}

const severity = "warning";
function sightOf(what: Change, at: number): Sight {
  if (what === "free") return { severity };
  if (what === "held") return { severity, hold: silence };
  if (what === "acknowledged") return { severity, hold: acknowledgement };
  return what === "over" ? { severity, ended: at } : { severity, ended: at, isQuestion: true };
}

/** An ended firing does not come back; a firing that ended for missing data is eventually known to be over. */
function eventsOf({ start, changes }: Life, id: string): PlayEvent[] {
  const events: PlayEvent[] = [{ at: start, id, sight: { severity } }];
  let at = start;
  for (const { after, what } of changes) {
    at += after;
    events.push({ at, id, sight: sightOf(what, at) });
    if (what === "over") break;
    if (what === "silent") {
      events.push({ at: at + 500, id, sight: { severity, ended: at + 500 } });
      break;
    }
  }
  return events;
}

const change = fc.record({ after: fc.integer({ min: 1, max: 900 }), what: fc.constantFrom(...CHANGES) });
const life = fc.record({ start: fc.integer({ min: 0, max: 1500 }), changes: fc.array(change, { maxLength: 5 }) });
const steps = fc.constantFrom<Timing["steps"]>(
  [{ after: 0, to: ["ops"] }],
  [{ after: 0, to: ["rota", "pager"] }],
  [
    { after: 0, to: ["ops", "chat"] },
    { after: 10, to: ["lead"] },
  ],
  [
    { after: 0, to: ["gone"] },
    { after: 5, to: ["ops"] },
    { after: 20, to: ["lead", "ops"] },
  ],
);
const timing = fc.record({
  group_wait: fc.constantFrom(0, 30, 70),
  group_interval: fc.constantFrom(60, 300),
  repeat_interval: fc.constantFrom(0, 300, 900),
  clear: fc.constantFrom("all" as const, "each" as const, "none" as const),
  loop: fc.constantFrom(0, 1),
  steps,
});
/** A period without decisions: a restart, or a change of leader. */
const outage = fc.record({ from: fc.integer({ min: 0, max: END }), length: fc.integer({ min: 0, max: 200 }) });
/** Whether two nodes lead at once. */
const twice = fc.boolean();
const histories = fc.record({ twice, lives: fc.array(life, { minLength: 1, maxLength: 6 }), timing, outage });
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

interface Story {
  readonly events: readonly PlayEvent[];
  readonly notices: readonly PlayedNotice[];
  readonly problems: readonly Problem[];
  readonly rules: typeof TIMING;
}

function tell({ twice: isTwice, lives, timing: rules, outage: { from, length } }: History): Story {
  const events = lives.flatMap((each, at) => eventsOf(each, `f${at}`)).toSorted((a, b) => a.at - b.at);
  const problems: Problem[] = [];
  const story: Play = {
    ...{ events, timing: rules, until: END, gone: ["gone"], twice: isTwice, duty: DUTY },
    isAway: (at) => at >= from && at < from + length,
    seen: (problem) => void problems.push(problem),
  };
  return { events, notices: play(story), problems, rules: { ...TIMING, ...rules } };
}

type Promised = (story: Story, history: History) => void;
/** Properties of every history, by the sentence that describes them. */
const PROMISES = new Map<string, Promised>();
const check = (sentence: string, holds: Promised): void => void PROMISES.set(sentence, holds);

const byReceiver = (notices: readonly PlayedNotice[]) => [...Map.groupBy(notices, ({ receiver }) => receiver).values()];
/** Whether a notice is about firings; the others report an acknowledgement, or inform the person on duty. */
const isAboutFirings = ({ kind, hand_over }: PlayedNotice): boolean => kind !== "acknowledged" && !hand_over;
const pairs = <T>(list: readonly T[]): [T, T][] => list.slice(1).map((each, at) => [list[at] as T, each]);

check("a firing is new to a receiver once at most, and repeated no sooner than the interval", ({ notices, rules }) => {
  for (const own of byReceiver(notices)) {
    const news = own.flatMap((notice) => notice.new);
    expect(news).toHaveLength(new Set(news).size);
    for (const id of news) {
      const named = own.filter((each) => each.kind !== "escalation" && [...each.new, ...each.repeated].includes(id));
      const isEscalated = own.some(({ kind }) => kind === "escalation");
      // Firings that are due within the group interval join a repetition, so that they are sent together.
      const least = rules.repeat_interval - rules.group_interval;
      if (!isEscalated)
        for (const [a, b] of pairs(named)) expect(b.at - a.at).toBeGreaterThanOrEqual(Math.max(least, 1));
    }
  }
});

check("notices of one problem to one receiver keep their distance", ({ notices, rules }) => {
  for (const all of byReceiver(notices)) {
    for (const [a, b] of pairs(all)) expect(b.seq).toBe(b.seq === 1 ? 1 : a.seq + 1);
    const own = all.filter(isAboutFirings);
    for (const [a, b] of pairs(own)) {
      // Repetitions are sent to the second, and take new firings along.
      const isFree = b.seq === 1 || b.kind === "cleared" || b.kind === "escalation" || b.repeated.length > 0;
      if (!isFree && b.new.length > 0) expect(b.at - a.at).toBeGreaterThanOrEqual(rules.group_interval);
    }
  }
});

check("an acknowledgement is sent to notified receivers, and not if there is only one", ({ notices, rules }) => {
  const isAlone = new Set(rules.steps.flatMap(({ to }) => to)).size < 2;
  for (const own of byReceiver(notices))
    for (const { at, receiver, acknowledged } of own.filter(({ kind }) => kind === "acknowledged")) {
      expect(isAlone && receiver !== "pager").toBe(false);
      const told = own.filter((each) => each.at < at).flatMap((each) => each.new);
      for (const id of acknowledged?.invocations ?? []) expect(told).toContain(id);
    }
});

check("each person on duty is notified of a problem once, at the first notice or at the hand-over", ({ notices }) => {
  for (const own of byReceiver(notices))
    for (const notice of own.filter(({ hand_over }) => hand_over)) {
      const start = shiftAt(notice.at);
      const before = own.filter((each) => each.at >= start && each.at < notice.at);
      expect(notice.receiver).toBe("rota");
      expect(before.filter((each) => isAboutFirings(each) || each.hand_over)).toEqual([]);
    }
});

check("a receiver gets only the ends of reported firings, and never twice", ({ notices, rules }) => {
  for (const own of byReceiver(notices)) {
    const ends = own.flatMap(({ over }) => over);
    expect(ends).toHaveLength(new Set(ends).size);
    for (const notice of own)
      for (const id of notice.over) expect(own.some((each) => each.at < notice.at && each.new.includes(id))).toBe(true);
    if (rules.clear === "none") expect(ends).toEqual([]);
  }
});

/** The longest period in which a firing was free and decisions were made. */
function longestFree(id: string, { events, lives, outage: { from, length } }: History & Pick<Story, "events">): number {
  const own = [...events.filter((each) => each.id === id), { at: END, id, sight: { severity, ended: END } }];
  const spans = pairs(own).filter(([{ sight }]) => sight.ended === undefined && sight.hold === undefined);
  const whole = spans.map(([a, b]) => [a.at, Math.min(b.at, END)] as const);
  const away = [from, from + length] as const;
  const parts = whole.flatMap(([a, b]) => [
    Math.min(b, away[0]) - a,
    b - Math.max(a, away[1]),
    ...(away[1] <= a || away[0] >= b ? [b - a] : []),
  ]);
  return Math.max(0, lives.length === 0 ? 0 : Math.max(...parts, 0));
}

check("a firing that was unheld long enough is reported to the receivers of the first step", (story, history) => {
  const { notices, rules, events } = story;
  const first = rules.steps[0]?.to.filter((each) => each !== "gone") ?? [];
  for (const id of new Set(events.map((each) => each.id)))
    if (longestFree(id, { ...history, events }) > rules.group_wait + rules.group_interval + 10)
      for (const receiver of first)
        expect(notices.some((each) => each.receiver === receiver && each.new.includes(id))).toBe(true);
});

check("every notified receiver gets the end", ({ notices, events, rules }) => {
  if (rules.clear === "none") return;
  const ended = new Map(
    events.flatMap(({ id, sight: { ended: at, isQuestion } }) =>
      at !== undefined && !isQuestion ? [[id, at] as const] : [],
    ),
  );
  const all = [...new Set(events.map(({ id }) => id))];
  const last = Math.max(...ended.values(), 0);
  if (all.some((id) => !ended.has(id)) || last > END - rules.group_wait - 400) return;
  for (const own of byReceiver(notices)) {
    const news = own.flatMap((notice) => notice.new);
    expect([...new Set(own.flatMap(({ over }) => over))].toSorted()).toEqual([...new Set(news)].toSorted());
  }
});

check("there is a decision on record for every firing and receiver, at any time", ({ problems }) => {
  for (const { members, sides } of problems)
    for (const { standing, told } of members)
      for (const receiver of Object.keys(sides)) {
        const decided = standing[receiver];
        expect(decided).toBeDefined();
        if (decided?.verdict !== "told") expect(decided?.by?.kind ?? told[receiver]).toBeDefined();
      }
});

/** Each history is played once and checked against all promises. */
test(`every promise holds in ${HISTORIES} histories`, () => {
  fc.assert(
    fc.property(histories, (history) => {
      const story = tell(history);
      for (const [sentence, holds] of PROMISES)
        try {
          holds(story, history);
        } catch (error) {
          throw new Error(sentence, { cause: error });
        }
    }),
    { numRuns: HISTORIES },
  );
});
