import fc from "fast-check";
import { expect, test } from "vitest";
import type { Streak } from "../model.ts";
import { advance } from "./evaluate.ts";

interface Run {
  readonly samples: number;
  readonly pattern: string;
}

/** Feeds "TF…" minute by minute and writes F for fired, C for cleared, "." for neither. */
function play({ samples, pattern }: Run): { changes: string; streak: Streak | undefined } {
  let streak: Streak | undefined;
  let changes = "";
  [...pattern].forEach((letter, index) => {
    const now = (index + 1) * 60;
    const sample = {
      holds: letter === "T",
      now,
      samples,
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
])("with %d samples the pattern %s goes %s", (samples, pattern, expected) => {
  expect(play({ samples, pattern }).changes).toBe(expected);
});

test("the date is that of the first true sample and the message that of the last true one", () => {
  expect(play({ samples: 3, pattern: "FTTTF" }).streak).toMatchObject({
    invocation: "a120",
    date: 120,
    message: "at 240",
    modified: 300,
    count: 2,
    notified: true,
  });
});

test("a definition that asks for fewer samples than were counted fires with the next one", () => {
  const { streak } = play({ samples: 5, pattern: "TTT" });
  const sample = { holds: true, now: 240, samples: 2, expression: "x", message: () => "", newId: () => "b" };
  expect(advance(streak, sample).change).toBe("fired");
});

test("nothing is remembered of samples that never held", () => {
  expect(play({ samples: 2, pattern: "FFF" }).streak).toBeUndefined();
});

test("any sequence gives fired and cleared in turn, and never more than one state per run", () => {
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
