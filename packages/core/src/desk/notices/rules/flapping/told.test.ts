import fc from "fast-check";
import { expect, test } from "vitest";
import { TIMING } from "../../../../../test/desk/notice-play.ts";
import { episodeOf, type FlapRule, type Spell } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { NoticeHold, Problem } from "../../model.ts";
import type { Draft, Facts, Sight } from "../problem/facts.ts";
import { settle } from "../problem/settle.ts";
import { join } from "./join.ts";

const MINUTE = 60;
const HOUR = 3600;
const RULE: FlapRule = { count: 4, window: 3 * HOUR };
const silence: NoticeHold = { kind: "silence", id: "q1", title: "Works" };

interface Story {
  readonly spells: readonly Spell[];
  readonly until: number;
  readonly rule?: FlapRule;
  /** Second until which a hold keeps notices back from all receivers. */
  readonly heldUntil?: number;
}

interface Told extends Draft {
  readonly at: number;
}

/** Plays one alert on one server through the rules, minute by minute and at each due time. */
function play({ spells, until, rule = RULE, heldUntil = 0 }: Story): Told[] {
  const told: Told[] = [];
  let problem: Problem | undefined;
  let due = Number.POSITIVE_INFINITY;
  const times = new Set([heldUntil, ...spells.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))]);
  const queue = [...times].toSorted((a, b) => a - b);
  for (let now = queue.shift(); now !== undefined && now <= until; now = next()) {
    const past = spells.flatMap(({ from, to }) =>
      from <= (now ?? 0) ? [{ from, to: to && to <= (now ?? 0) ? to : undefined }] : [],
    );
    const begun = past.findIndex(({ from }) => from === now);
    if (begun >= 0) problem = joined(problem, past.slice(0, begun + 1), rule);
    if (!problem) continue;
    const settled = settle(problem, factsOf(problem, past, now, now < heldUntil));
    told.push(...settled.drafts.map((draft) => ({ ...draft, at: now ?? 0 })));
    problem = settled.problem.closed === null ? settled.problem : undefined;
    due = settled.problem.due ?? Number.POSITIVE_INFINITY;
  }
  return told;

  function next(): number | undefined {
    if (due < (queue[0] ?? Number.POSITIVE_INFINITY)) {
      const at = due;
      due = Number.POSITIVE_INFINITY;
      return at;
    }
    return queue.shift();
  }
}

function joined(open: Problem | undefined, past: readonly Spell[], rule: FlapRule): Problem {
  const at = past.length - 1;
  const now = past[at]?.from ?? 0;
  const member = { invocation: `i${at}`, alert: "hot", server: "s1", severity: "warning", joined: now };
  const { members } = join(open?.members ?? [], { ...member, told: {}, standing: {} }, episodeOf(past, rule));
  const empty = { id: `pg${now}`, route: "rt1", key: "", severity: "warning", opened: now, closed: null };
  return { ...{ sides: {}, steps: 0, due: now }, ...(open ?? empty), members: [...members] };
}

function factsOf({ members }: Problem, past: readonly Spell[], now: number, isHeld: boolean): Facts {
  const sightOf = (invocation: string): Sight => {
    const spell = past[Number(invocation.slice(1))];
    const hold = isHeld ? { hold: silence } : {};
    return { severity: "warning", ended: spell?.to, changed: spell?.to ?? spell?.from, ...hold };
  };
  return {
    now,
    timing: { ...TIMING, group_wait: 0, repeat_interval: 0 },
    sights: new Map(members.map(({ invocation, flap }) => [invocation, sightOf(flap?.latest ?? invocation)])),
    ...{ unreachable: () => undefined, keepsState: () => false, isTaker: () => false, onDuty: () => undefined },
    full: () => undefined,
    newId: () => `no${now}`,
  };
}

const spellsOf = (minutes: number, count: number, from = 0): Spell[] =>
  Array.from({ length: count }, (_each, at) => {
    const start = from + at * minutes * MINUTE;
    return { from: start, to: start + 5 * MINUTE };
  });
const linesOf = (story: Story): string[] =>
  play(story).map(({ at, kind, new: fresh, repeated, over }) =>
    [
      `${at / MINUTE} ${kind}`,
      ...fresh.map((id) => `+${id}`),
      ...repeated.map((id) => `*${id}`),
      ...over.map((id) => `-${id}`),
    ].join(" "),
  );

test.each<[string, Story, string[]]>([
  [
    "three firings are reported one by one",
    { spells: spellsOf(20, 3), until: 10 * HOUR },
    ["0 firing +i0", "5 cleared -i0", "20 firing +i1", "25 cleared -i1", "40 firing +i2", "45 cleared -i2"],
  ],
  [
    "the fourth is reported as flapping, the rest of the night is silence, and one notice reports the end",
    { spells: spellsOf(20, 24), until: 20 * HOUR },
    [
      ...["0 firing +i0", "5 cleared -i0", "20 firing +i1", "25 cleared -i1", "40 firing +i2", "45 cleared -i2"],
      ...["60 flapping +i3", `${23 * 20 + 5 + 60} cleared -i3`],
    ],
  ],
  [
    "a flapping that stays live is reported as settled, and as over at its end",
    { spells: [...spellsOf(20, 5), { from: 100 * MINUTE, to: 200 * MINUTE }], until: 20 * HOUR },
    [
      ...["0 firing +i0", "5 cleared -i0", "20 firing +i1", "25 cleared -i1", "40 firing +i2", "45 cleared -i2"],
      ...["60 flapping +i3", "160 settled *i3", "200 cleared -i3"],
    ],
  ],
  [
    "a flapping that is held is reported as such when the hold ends",
    { spells: spellsOf(20, 12), until: 20 * HOUR, heldUntil: 90 * MINUTE },
    ["90 flapping +i3", `${11 * 20 + 5 + 60} cleared -i3`],
  ],
])("%s", (_name, story, expected) => {
  expect(linesOf(story)).toEqual(expected);
});

const lengths = fc.array(fc.record({ on: fc.integer({ min: 1, max: 90 }), off: fc.integer({ min: 1, max: 300 }) }), {
  minLength: 1,
  maxLength: 120,
  size: "max",
});

const rules = fc.constantFrom<FlapRule>(RULE, { count: 4, window: 600 }, { count: 2, window: 600 });
/**
 * Maximum notices of one alert on one server to one receiver within a day: twice the number of firings that make it flap, each
 * with its end, then at most six episodes of flapping with four notices between each.
 */
const mostOf = ({ count }: FlapRule): number => 4 * count + 20;

test("for any flapping a receiver gets few notices a day, and the end of every reported firing", () => {
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 10 }), rules, (parts, haste, rule) => {
      let at = 0;
      const spells = parts.map(({ on, off }) => {
        const from = at;
        const to = from + Math.ceil(on / haste) * MINUTE;
        at = to + Math.ceil(off / haste) * MINUTE;
        return { from, to };
      });
      const told = play({ spells, until: at + 48 * HOUR, rule });
      for (const { at: first } of told)
        expect(told.filter((each) => each.at >= first && each.at < first + 24 * HOUR).length).toBeLessThanOrEqual(
          mostOf(rule),
        );
      const news = told.flatMap((notice) => notice.new);
      expect(new Set(told.flatMap(({ over }) => over))).toEqual(new Set(news));
      expect(news.length).toBe(new Set(news).size);
      expect(told.at(-1)?.kind).toBe("cleared");
    }),
    { numRuns: 100 },
  );
});
