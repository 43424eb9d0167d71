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
  const ended = new Promise<void>((resolve) => second.events.on("job.completed", () => resolve()));
  await second.start();
  return { second, id, ended, calls: () => calls };
}

test("a job interrupted by the end of the process runs again after the next start, where its limit says so", async () => {
  const { second, id, ended, calls } = await restart([{ enabled: true, type: "retry", amount: 1 }]);
  await ended;
  const { job } = await second.api.getJob({ id });
  expect(job).toMatchObject({ code: "abort", retried: true, description: "Server is shutting down." });
  const [{ id: next = "" } = {}] = job["jobs"] as { id: string }[];
  expect((await second.api.getJob({ id: next })).job).toMatchObject({ code: 0, retry_prev: id, data: { calls: 2 } });
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
