import fc from "fast-check";
import { expect, test } from "vitest";
import type { Streak } from "../../model.ts";
import { advance, type Patience, type Verdict } from "./evaluate.ts";

interface Run extends Patience {
  readonly pattern: string;
}

const VERDICTS: Readonly<Record<string, Verdict>> = { T: "holds", F: "over", B: "between", E: "failed" };

/** Feeds "TFBE…" minute by minute ("-" = no minute comes), and returns F for fired, C for cleared, "." for neither. */
function play({ pattern, ...alert }: Run): { changes: string; streak: Streak | undefined } {
  let streak: Streak | undefined;
  let changes = "";
  [...pattern].forEach((letter, index) => {
    const now = (index + 1) * 60;
    const verdict = VERDICTS[letter];
    if (!verdict) {
      changes += ".";
      return;
    }
    const sample = {
      verdict,
      now,
      alert,
      gapSec: 90,
      expression: "x",
      message: () => `at ${now}`,
      newId: () => `a${now}`,
    };
    const step = advance(streak, sample);
    changes += step.change === "fired" ? "F" : step.change === "cleared" ? "C" : ".";
    streak = step.streak;
  });
  return { changes, streak };
}

test.each([
  [1, "T", "F"],
  [1, "TF", "FC"],
  [1, "FTTF", ".F.C"],
  [3, "TTT", "..F"],
  [3, "TTFTT", "....F"],
  [3, "TFTFTF", "......"],
  [3, "TTTFFF", "..F..C"],
  [3, "TTTFFTFFF", "..F....C."],
  [2, "TTFTFF", ".F...C"],
])("with %d samples the pattern %s gives %s", (samples, pattern, expected) => {
  expect(play({ samples, pattern }).changes).toBe(expected);
});

const GRADES = { recovery: "temp < 40" };

test.each<[string, Omit<Run, "samples" | "pattern">, string, string]>([
  ["for: truth without a break", { for: 120 }, "TTT", "..F"],
  ["for begins again after a break", { for: 120 }, "TTFTTT", ".....F"],
  ["for of no whole minutes", { for: 130 }, "TTTT", "...F"],
  ["for tolerates the jitter of minutes", { for: 124 }, "TTT", "..F"],
  ["keep_firing_for counts from the last true sample", { keep_firing_for: 180 }, "TFFF", "F..C"],
  ["a true sample restarts it", { keep_firing_for: 180 }, "TFFTFFF", "F.....C"],
  ["a recovery that does not hold keeps it", GRADES, "TBBF", "F..C"],
  ["a warm-up counts down between", { ...GRADES, for: 60 }, "TBTT", "...F"],
  ["an error is false", {}, "TE", "FC"],
  ["an error is no recovery", GRADES, "TEF", "F.C"],
  ["an error that is ignored", { on_error: "keep" }, "TEEF", "F..C"],
  ["an error that is ignored before the condition held", { on_error: "keep" }, "ET", ".F"],
  ["a gap ends a warm-up", { for: 120 }, "TT-TT", "....."],
  ["a gap ends no live alert", { keep_firing_for: 60 }, "T--F", "F..C"],
])("%s", (_name, members, pattern, expected) => {
  expect(play({ samples: 1, ...members, pattern }).changes).toBe(expected);
});

test("the date is the time of the first true sample and the message comes from the last true one", () => {
  expect(play({ samples: 3, pattern: "FTTTF" }).streak).toMatchObject({
    invocation: "a120",
    date: 120,
    message: "at 240",
    modified: 300,
    count: 2,
    notified: true,
  });
});

test("a definition changed to fewer samples than already counted fires with the next one", () => {
  const { streak } = play({ samples: 5, pattern: "TTT" });
  const alert = { samples: 2 };
  const sample = { verdict: "holds", now: 240, alert, expression: "x", message: () => "", newId: () => "b" } as const;
  expect(advance(streak, sample).change).toBe("fired");
});

test("nothing is stored about samples that never held", () => {
  expect(play({ samples: 2, pattern: "FFF" }).streak).toBeUndefined();
});

test("any sequence fires and clears alternately, and never has more than one state per run", () => {
  const runs = fc.record({ samples: fc.integer({ min: 1, max: 5 }), pattern: fc.stringMatching(/^[TF]{0,40}$/) });
  fc.assert(
    fc.property(runs, (run) => {
      const { changes, streak } = play(run);
      const seen = changes.replaceAll(".", "");
      expect(seen).toMatch(/^(FC)*F?$/);
      expect(streak?.notified ?? false).toBe(seen.endsWith("F"));
      expect(streak?.count ?? 1).toBeGreaterThanOrEqual(1);
    }),
    { numRuns: 2000 },
  );
});

/** Evaluates "T" or "F" at given times, and returns the letters of the changes. */
function at(alert: Patience, samples: readonly (readonly [now: number, letter: "T" | "F"])[]): string {
  let streak: Streak | undefined;
  let changes = "";
  for (const [now, letter] of samples) {
    const verdict = VERDICTS[letter] ?? "over";
    const step = advance(streak, { verdict, now, alert, expression: "x", message: () => "m", newId: () => `a${now}` });
    changes += step.change === "fired" ? "F" : step.change === "cleared" ? "C" : ".";
    streak = step.streak;
  }
  return changes;
}

test.each<[string, Patience, readonly (readonly [number, "T" | "F"])[], string]>([
  [
    "a warm-up continues",
    { samples: 2 },
    [
      [9000, "T"],
      [5460, "T"],
    ],
    ".F",
  ],
  [
    "the end of an alert does not wait",
    { samples: 1 },
    [
      [9000, "T"],
      [5460, "F"],
    ],
    "FC",
  ],
  [
    "for begins again",
    { samples: 1, for: 120 },
    [
      [9000, "T"],
      [5460, "T"],
      [5520, "T"],
      [5580, "T"],
    ],
    "...F",
  ],
  [
    "keep_firing_for begins again",
    { samples: 1, keep_firing_for: 120 },
    [
      [9000, "T"],
      [5460, "F"],
      [5520, "F"],
      [5580, "F"],
    ],
    "F..C",
  ],
])("when the clock is set back %s", (_what, alert, samples, expected) => {
  expect(at(alert, samples)).toBe(expected);
});

test("a live alert without the time of its last true sample clears after keep_firing_for", () => {
  const known = { invocation: "a1", date: 60, exp: "x", message: "m", count: 1, notified: true, modified: 60 };
  let streak: Streak | undefined = known;
  const changes = [120, 180, 240, 300].map((now) => {
    const alert = { samples: 1, keep_firing_for: 180 };
    const step = advance(streak, {
      verdict: "over",
      now,
      alert,
      expression: "x",
      message: () => "m",
      newId: () => "a2",
    });
    streak = step.streak;
    return step.change;
  });
  expect(changes).toEqual([undefined, undefined, "cleared", undefined]);
});
