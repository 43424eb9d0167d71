import { setTimeout as sleep } from "node:timers/promises";
import { memoryBlobStore } from "@signalbox/core";
import { StorageError } from "@signalbox/core/storage";
import { fakeClock } from "@signalbox/core/testing";
import { createSpoiler, type FaultKind, type Injection, type Places, type Spoiler } from "./injection/faults.ts";
import { examine, type Kept, shown } from "./injection/judgement.ts";
import { copyTemplate, openEngine, START } from "./injection/life.ts";
import { goOn, useAll } from "./injection/scenario.ts";

export type { FaultKind } from "./injection/faults.ts";

export interface Injected {
  /** Places of the whole scenario in order: texts of statements, names of blob store calls, and so on. */
  readonly places: Places;
  /** Violated rules; empty when all is well. */
  readonly problems: readonly string[];
}

/** A scenario takes a second or two; a busy machine may take thirty times as long. */
const LONGEST_MS = 240_000;

async function live(spoiler: Spoiler, kept: Kept): Promise<void> {
  const { filename, remove } = await copyTemplate();
  const clock = fakeClock(START);
  const blobs = memoryBlobStore({ clock });
  let life = openEngine(filename, spoiler, blobs, clock);
  const start = async (): Promise<boolean> =>
    life.engine.start().then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof StorageError)) kept.problems.push(`start: ${shown(error)}`);
        return false;
      },
    );
  spoiler.turn(true);
  if (!(await start())) {
    await life.engine.stop().catch(() => undefined);
    life = openEngine(filename, spoiler, blobs, clock);
    if (!(await start())) kept.problems.push("it does not start again");
  }
  const server = await useAll(life, kept, clock);
  spoiler.turn(false);
  await goOn(life, kept, { clock, server });
  await life.engine.stop().catch((error: unknown) => {
    if (!(error instanceof StorageError)) kept.problems.push(`stop: ${shown(error)}`);
  });
  await examine(openEngine(filename, spoiler, blobs, clock), kept);
  remove();
}

/** Places where a kind of fault can strike, counted from 1. */
export const placesOf = (kind: FaultKind, { places }: Injected): readonly string[] =>
  places[kind === "transaction" ? "statement" : kind];

/** Runs the whole scenario with one fault in it, or with none. */
export async function inject(injection: Injection): Promise<Injected> {
  const spoiler = createSpoiler(injection);
  const kept: Kept = { tickets: [], jobs: [], problems: [] };
  const remember = (reason: unknown): void => void kept.problems.push(`nobody waited: ${shown(reason)}`);
  process.on("unhandledRejection", remember);
  const stopping = new AbortController();
  const late = sleep(LONGEST_MS, true, { signal: stopping.signal }).catch(() => false);
  try {
    const outcome = await Promise.race([live(spoiler, kept).then(() => false), late]);
    if (outcome) kept.problems.push("it hangs");
    // Unhandled rejections are reported at the end of a turn.
    await sleep(0);
  } catch (error) {
    kept.problems.push(`scenario: ${shown(error)}`);
  } finally {
    stopping.abort();
    process.off("unhandledRejection", remember);
  }
  return { places: spoiler.places, problems: kept.problems };
}
