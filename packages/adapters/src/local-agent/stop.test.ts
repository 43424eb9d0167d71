import { createSignalbox, defineEvent, type LimitInput, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { expect, test } from "vitest";
import { localAgent } from "./index.ts";

/** Runs two engines, one after the other, over the same storage. */
async function restart(limits: readonly LimitInput[]) {
  const storage = { ...memoryStorage(), close: async () => undefined };
  const blobs = memoryBlobStore();
  const started = Promise.withResolvers<void>();
  let calls = 0;
  const work = defineEvent({
    id: "work",
    title: "Work",
    limits,
    run: ({ signal }) => {
      calls += 1;
      if (calls > 1) return { calls };
      started.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const open = () =>
    createSignalbox({
      ...{ storage, blobs, secretKey: "EXAMPLE_CLUSTER_KEY", events: [work] },
      agents: localAgent({ quickEverySec: 0, killTimeoutSec: 0.2 }),
      config: { job_universal_actions: { default: [], workflow: [] } },
    });
  const first = open();
  await first.start();
  const { id } = await first.api.runEvent({ id: "work" });
  await started.promise;
  await first.stop();
  const second = open();
  await second.start();
  return { second, id, calls: () => calls };
}

test("a job interrupted by the end of the process runs again after the next start, where its limit says so", async () => {
  const { second, id, calls } = await restart([{ enabled: true, type: "retry", amount: 1 }]);
  const read = async (which: string) => (await second.api.getJob({ id: which })).job;
  await expect.poll(() => read(id)).toMatchObject({ final: true, jobs: [{ id: expect.any(String) }] });
  const job = await read(id);
  expect(job).toMatchObject({ code: "abort", retried: true, description: "Server is shutting down." });
  const [{ id: next = "" } = {}] = job["jobs"] as { id: string }[];
  await expect.poll(() => read(next)).toMatchObject({ final: true });
  expect(await read(next)).toMatchObject({ code: 0, retry_prev: id, data: { calls: 2 } });
  expect(calls()).toBe(2);
  await second.stop();
});

test("a job without a retry limit has ended after the next start", async () => {
  const { second, id, calls } = await restart([]);
  expect((await second.api.getJob({ id })).job).toMatchObject({ code: "abort", final: true });
  expect((await second.api.getActiveJobs({})).rows).toEqual([]);
  expect(calls()).toBe(1);
  await second.stop();
});
