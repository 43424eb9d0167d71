import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chosen, facts, INPUTS, kinds, limited, NOW, record } from "../../../../../test/work/jobs/lifecycle-records.ts";
import type { JobState } from "../../model.ts";
import { JOB_STATES } from "../../model.ts";
import { advance } from "./lifecycle.ts";
import type { Input, StartChoice } from "./transition.ts";

const choice = fc.constantFrom<StartChoice>(chosen, { kind: "none" }, { kind: "wait" }, { kind: "unknown", algo: "x" });
const anyFacts = fc
  .record({ running: fc.nat(3), queued: fc.nat(3), job: fc.nat(3), queue: fc.nat(3), choice, isGone: fc.boolean() })
  .map(({ running, queued, job, queue, choice: found, isGone }) =>
    facts({ running, queued, limits: limited(job, queue), choice: found, refusal: isGone ? "gone" : undefined }),
  );
const anyInput: fc.Arbitrary<Input> = fc.oneof(
  fc.constantFrom(...Object.values(INPUTS)),
  anyFacts.map((given): Input => ({ kind: "check", facts: given })),
  fc
    .record({ retryOk: fc.boolean(), connected: fc.boolean() })
    .map((given): Input => ({ kind: "abort", reason: "r", ...given })),
);

/** See docs/contract/jobs.md#states. */
const ALLOWED: Readonly<Record<JobState, readonly JobState[]>> = {
  start_delay: ["ready", "complete"],
  retry_delay: ["ready", "complete"],
  ready: ["queued", "starting", "complete"],
  queued: ["ready", "complete"],
  starting: ["active", "complete", "ready"],
  active: ["finishing", "complete", "ready"],
  finishing: ["complete"],
  complete: [],
};

describe("any sequence of inputs", () => {
  const run = fc.record({
    first: fc.constantFrom<JobState>("start_delay", "retry_delay", "ready"),
    inputs: fc.array(fc.tuple(anyInput, fc.nat(200)), { maxLength: 40 }),
  });

  test("follows the transitions of the contract, never leaves complete, and reports the end", () => {
    fc.assert(
      fc.property(run, ({ first, inputs }) => {
        let job = record(first, { until: NOW });
        let now = NOW;
        for (const [input, seconds] of inputs) {
          now += seconds;
          const { record: after } = advance(job, input, now);
          if (after.job.state !== job.job.state) {
            expect(ALLOWED[job.job.state]).toContain(after.job.state);
            if (after.job.state === "complete") expect(after.job.complete).toBe(true);
          }
          job = after;
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("sends the launch message again only after its delivery failed", () => {
    fc.assert(
      fc.property(run, ({ first, inputs }) => {
        let job = record(first, { until: NOW });
        let now = NOW;
        let isSent = false;
        for (const [input, seconds] of inputs) {
          now += seconds;
          const { record: after, effects } = advance(job, input, now);
          if (kinds(effects).includes("dispatch")) {
            expect(isSent).toBe(false);
            expect(after.dispatched).toBe(now);
            isSent = true;
          }
          // Only the dispatch handler gives this input, when nothing was sent.
          if (input.kind === "unsent" && job.job.state === "active") isSent = false;
          job = after;
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("never changes the given record", () => {
    const freeze = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      Object.freeze(value);
      Object.values(value).forEach(freeze);
    };
    fc.assert(
      fc.property(fc.constantFrom(...JOB_STATES), anyInput, (state, input) => {
        const given = record(state, { actions: [], until: NOW });
        freeze(given);
        advance(given, input, NOW + 500);
      }),
    );
  });
});
