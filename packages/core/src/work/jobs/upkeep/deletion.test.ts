import { expect, test } from "vitest";
import { cradleProbe } from "../../../../test/engine.ts";
import { jobRecords } from "../../../../test/work/job-records.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Storage, WriteTx } from "../../../ports/storage/storage.ts";
import { startJobs } from "../../../testing/test-jobs.ts";

/** Counts how often a finished job is changed. */
function counting(storage: Storage, id: string) {
  const seen = { changes: 0 };
  const watched = (tx: WriteTx): WriteTx => ({
    ...tx,
    collection(definition) {
      const jobs = tx.collection(definition);
      if (definition.name !== "jobs") return jobs;
      return {
        ...jobs,
        update(key, change) {
          if (key === id) seen.changes++;
          return jobs.update(key, change);
        },
      };
    },
  });
  return { seen, storage: { ...storage, write: (run) => storage.write((tx) => run(watched(tx))) } satisfies Storage };
}

test("sub-jobs of an active workflow are spared, as by a single deletion", async () => {
  const storage = memoryStorage();
  const { settle, signalbox } = await startJobs({ storage });
  const { active, final } = jobRecords(storage);
  await active("w1", { type: "workflow", workflow: { jobs: { n1: [{ id: "p000" }] } } });
  for (let index = 0; index < 150; index++) {
    const id = `p${String(index).padStart(3, "0")}`;
    await final(id, { completed: 5, workflow: { job: index % 50 === 0 ? "w1" : "w0", event: "e9", node: "n1" } });
  }
  await expect(signalbox.api.deleteJob({ id: "p000" })).rejects.toThrow("Cannot delete a job from an active workflow");
  await signalbox.api.bulkSearchDeleteJobs({ query: "workflow:e9" });
  await settle(1);
  const { rows } = await signalbox.api.searchJobs({ query: "workflow:e9", limit: 10, sort_dir: 1 });
  expect(rows.map(({ id }) => id)).toEqual(["p000", "p050", "p100"]);
});

test("a page of jobs is deleted in pieces, with a turn of the loop after each", async () => {
  const probe = cradleProbe();
  const storage = memoryStorage();
  const { signalbox } = await startJobs({ storage, plugins: [probe.plugin as never] });
  const { final } = jobRecords(storage);
  for (let index = 0; index < 100; index++) await final(`p${index}`, { completed: 5 });
  let turns = 0;
  let isOver = false;
  const look = (): void => {
    if (!isOver) setImmediate(look);
    turns++;
  };
  look();
  const signal = new AbortController().signal;
  await probe.cradle().jobs.deletion.removeMatching({ query: "*", now: 10 }, { signal });
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(5);
  expect((await signalbox.api.searchJobs({})).list.length).toBe(0);
});

test("sub-jobs that are deleted by the hundred are marked in their workflow with one write per page", async () => {
  const { seen, storage } = counting(memoryStorage(), "w1");
  const { settle, signalbox } = await startJobs({ storage });
  const { final } = jobRecords(storage);
  const ids = Array.from({ length: 200 }, (_, index) => `p${index}`);
  await final("w1", { type: "workflow", workflow: { jobs: { n1: ids.map((id) => ({ id })), n2: [{ id: "q" }] } } });
  for (const id of ids) await final(id, { completed: 5, workflow: { job: "w1", event: "e9", node: "n1" } });
  await signalbox.api.bulkSearchDeleteJobs({ query: "workflow:e9" });
  await settle(1);
  const { job } = await signalbox.api.getJob({ id: "w1" });
  const deleted = ids.map((id) => ({ id, deleted: true }));
  expect(job.workflow).toEqual({ jobs: { n1: deleted, n2: [{ id: "q" }] } });
  expect(seen.changes).toBe(2);
});
