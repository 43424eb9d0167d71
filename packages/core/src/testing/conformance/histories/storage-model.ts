import assert from "node:assert/strict";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { others, probes } from "../storage/storage-fixtures.ts";
import type { ConformanceRunner } from "../storage.ts";
import { createActor } from "./storage-actor.ts";
import { drawStart, drawStep, type Step } from "./storage-steps.ts";

/** The part of fast-check that the model test needs; pass in the module itself. */
export interface PropertyLibrary {
  integer(constraints: { min: number; max: number }): unknown;
  array(item: never, constraints: { maxLength: number; size: "max" }): unknown;
  asyncProperty(arbitrary: never, predicate: (tape: number[]) => Promise<void>): unknown;
  assert(property: never, parameters: { numRuns: number }): unknown;
}

/** Options of the random runs against a model. */
export interface StorageModelOptions {
  readonly fc: PropertyLibrary;
  /** Returns an empty storage, not yet opened; all runs use it. */
  readonly open: () => Promise<Storage>;
  /** Removes all records, history, counters and queued work directly from the backend; called between runs. */
  readonly empty: (storage: Storage) => Promise<void>;
  /** Default 500. */
  readonly runs?: number;
}

/** Most steps of one run. */
const LONGEST = 30;

/**
 * Drives the memory storage and a backend with the same random steps and compares every answer. Checks laws that no
 * list of examples covers: order, negation, replacement and their combinations.
 */
export function storageModelConformance(
  { describe, test }: ConformanceRunner,
  { fc, open, empty, runs = 500 }: StorageModelOptions,
): void {
  describe("model", () => {
    test(`has the answers of the memory storage in ${runs} random histories`, async () => {
      const backend = await open();
      try {
        await backend.open([probes, others]);
        // fast-check's own types are generic; values passed between its functions stay opaque here.
        const tapes = fc.array(fc.integer({ min: 0, max: 999_999 }) as never, { maxLength: 500, size: "max" });
        const property = fc.asyncProperty(tapes as never, async (tape) => {
          await empty(backend);
          await compareHistories(stepsOf(tape), backend);
        });
        await fc.assert(property as never, { numRuns: runs });
      } finally {
        await backend.close();
      }
    });
  });
}

/** Each decision consumes one number of the tape, so that a shorter tape with smaller numbers means a simpler history. */
function stepsOf(tape: readonly number[]): Step[] {
  let place = 0;
  const choose = (count: number): number => (tape[place++] ?? 0) % count;
  const steps: Step[] = tape.length > 0 ? [drawStart(choose)] : [];
  while (place < tape.length && steps.length < LONGEST) steps.push(drawStep(choose));
  return steps;
}

async function compareHistories(steps: readonly Step[], backend: Storage): Promise<void> {
  const model = memoryStorage();
  await model.open([probes, others]);
  const [expected, actual] = [createActor(model), createActor(backend)];
  for (const [index, step] of steps.entries()) {
    const want = await expected(step);
    const got = await actual(step);
    if (JSON.stringify(got) !== JSON.stringify(want))
      assert.deepEqual(got, want, `step ${index} of ${JSON.stringify(steps)}`);
  }
}
