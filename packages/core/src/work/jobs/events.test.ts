import { expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { startJobs } from "../../testing/test-jobs.ts";
import { activeJobCollection, jobCollection } from "./collection.ts";

const NAMES = ["launched", "started", "updated", "aborted", "completed", "deleted"] as const;

/** Records each in-process event together with the job as it was stored at that moment. */
async function setUp() {
  const probe = cradleProbe();
  const jobs = await startJobs({ plugins: [probe.plugin] });
  const seen: [string, unknown][] = [];
  const stored: Promise<[string, string | undefined, boolean]>[] = [];
  for (const name of NAMES)
    jobs.signalbox.events.on(`job.${name}`, (payload: { id: string }) => {
      if (name !== "updated") seen.push([name, payload]);
      const { id } = payload;
      stored.push(
        jobs.storage.read(async (tx) => {
          const active = await tx.collection(activeJobCollection).get(id);
          return [name, active?.job.state, (await tx.collection(jobCollection).get(id)) !== undefined];
        }),
      );
    });
  return { ...jobs, probe, seen, stored: () => Promise.all(stored) };
}

test("each step of a job emits an event, after its commit", async () => {
  const at = await setUp();
  const server = await at.connect();
  const event = await at.event();
  const { id } = await at.signalbox.api.runEvent({ id: event });
  await at.settle();
  server.send("jobs", { [id]: { state: "complete", complete: true, code: "My Code" } });
  await at.settle();
  await at.signalbox.api.deleteJob({ id });
  expect(at.seen).toEqual([
    ["launched", { id, event }],
    ["started", { id, event, server: "s1" }],
    ["completed", { id, event, code: "my_code" }],
    ["deleted", { id }],
  ]);
  const states = (await at.stored()).filter(([name]) => name !== "updated");
  expect(states).toEqual([
    ["launched", "active", false],
    ["started", "active", false],
    ["completed", undefined, true],
    ["deleted", undefined, false],
  ]);
});

test("an abort emits its reason", async () => {
  const at = await setUp();
  await at.connect();
  const event = await at.event();
  const { id } = await at.signalbox.api.runEvent({ id: event });
  await at.settle();
  await at.signalbox.api.abortJob({ id });
  expect(at.seen.at(-1)).toEqual(["aborted", { id, event, reason: "Manually aborted by user: system" }]);
});

test("changes and readings of a running job are emitted", async () => {
  const at = await setUp();
  const server = await at.connect();
  const { id } = await at.signalbox.api.runEvent({ id: await at.event() });
  await at.settle();
  const before = (await at.stored()).filter(([name]) => name === "updated").length;
  expect(before).toBeGreaterThan(0);
  const updated = at.next("job.updated");
  server.send("jobs", { [id]: { progress: 0.5 } });
  await at.settle(0);
  expect(await updated).toEqual({ id });
});

test("a launch that is rolled back emits no event", async () => {
  const at = await setUp();
  const event = await at.event();
  const { launcher, transact, definitions } = at.probe.cradle();
  const [definition] = await at.signalbox.api.getEvents().then(({ rows }) => rows);
  if (!definition) throw new Error("The event is missing");
  const launch = transact(async (unit) => {
    await launcher.launch(unit, { event: definition as never, source: "user" });
    throw new Error("Changed my mind");
  });
  await expect(launch).rejects.toThrow("Changed my mind");
  await at.settle();
  expect([at.seen, definitions === undefined, event]).toEqual([[], false, definition.id]);
  expect((await at.signalbox.api.getActiveJobs()).rows).toEqual([]);
});
