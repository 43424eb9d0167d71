import { expect, test } from "vitest";
import { ConflictError } from "../../../kernel/errors/errors.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";
import { activeJobCollection } from "../collection.ts";

/** Makes the first transaction that dispatches a job fail: before it is repeated, another node has run and ended the job. */
function overtaken(storage: Storage): { readonly storage: Storage; readonly wasOvertaken: () => boolean } {
  const lost = new ConflictError("Job was changed meanwhile");
  let overtakenId: string | undefined;
  const write: Storage["write"] = async (run) => {
    try {
      return await storage.write(async (tx) => {
        const result = await run(tx);
        const dispatched = (await tx.collection(activeJobCollection).list()).find(({ job }) => job.state === "active");
        if (dispatched && overtakenId === undefined) {
          overtakenId = dispatched.id;
          throw lost;
        }
        return result;
      });
    } catch (error) {
      const id = overtakenId;
      if (error === lost && id !== undefined)
        await storage.write(async (tx) => void (await tx.collection(activeJobCollection).delete(id)));
      throw error;
    }
  };
  return { storage: { ...storage, write }, wasOvertaken: () => overtakenId !== undefined };
}

test("a job that another node has run and ended before this one starts it is not sent again", async () => {
  const clock = fakeClock(1_795_253_600);
  const { storage, wasOvertaken } = overtaken(memoryStorage({ clock }));
  const jobs = await startJobs({ clock, storage });
  const server = await jobs.connect();
  const until = clock.now() + 2;
  await jobs.signalbox.api.runEvent({ id: await jobs.event(), state: "start_delay", until });
  await clock.advance(5);
  expect(wasOvertaken()).toBe(true);
  expect(launched(server)).toEqual([]);
});
