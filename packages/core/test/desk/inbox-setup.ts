import { memoryStorage } from "../../src/memory/memory-storage.ts";
import type { Storage } from "../../src/ports/storage/storage.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type JobsOptions, startJobs } from "../../src/testing/test-jobs.ts";
import { recordingLogger } from "../engine.ts";

export type Members = Record<string, unknown>;

export const START = 1_795_253_600;

export const done = (members: Members = {}) => ({ state: "complete", complete: true, code: 0, ...members });

export async function setUp(options: JobsOptions = {}, event: Members = {}) {
  const log = recordingLogger();
  const jobs = await startJobs({ log, ...options });
  const server = await jobs.connect();
  const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event(event) });
  await jobs.settle();
  return {
    ...jobs,
    id,
    log,
    server,
    read: async (of = id) => (await jobs.signalbox.api.getJob({ id: of })).job,
    tell: async (update: unknown, to = server) => {
      to.send("jobs", { [id]: update });
      await jobs.settle();
    },
  };
}

/** A storage whose writes fail while the test says so. */
export function failing() {
  const clock = fakeClock(START);
  const inner = memoryStorage({ clock });
  const state = { isDown: false, refused: 0 };
  const storage: Storage = {
    ...inner,
    async write(work) {
      if (!state.isDown) return inner.write(work);
      state.refused += 1;
      throw new Error("The disk is full");
    },
  };
  return { clock, state, storage };
}
