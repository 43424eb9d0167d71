import { memoryBlobStore } from "@signalbox/core";
import { pgStorage } from "@signalbox/storage-pg";
import { describe, expect, test } from "vitest";
import { lendDatabase } from "../../storage-pg/test/lent-database.ts";
import { openEngine } from "./boxes/fleet-engine.ts";
import { STORAGES } from "./open-storage.ts";
import { untilOf } from "./until.ts";

type Members = Readonly<Record<string, unknown>>;

const eventOf = (members: Members) => ({
  ...{ enabled: true, category: "general", plugin: "shellplug", targets: ["main"], algo: "random" },
  ...{ params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
  ...members,
});

async function setUp(name: string) {
  const config = { tz: "UTC", max_jobs_per_min: 0, job_universal_actions: { default: [], workflow: [] } };
  const at = await openEngine(name, { blobs: memoryBlobStore(), config });
  await at.agent.connect({ hostname: "s1.example.internal", id: "s1", initial: { groups: ["main"] } });
  const limits = [
    { enabled: true, type: "job", amount: 1 },
    { enabled: true, type: "queue", amount: 100 },
  ];
  await at.admin.post("create_event", eventOf({ id: "free", title: "Free" }));
  await at.admin.post("create_event", eventOf({ id: "one", title: "One", limits }));
  await at.admin.post("create_event", eventOf({ id: "off", title: "Off", enabled: false }));
  return at;
}

const TIMES = 20;

describe.each(STORAGES)("many concurrent launches over %s", (name) => {
  test("are each answered: launched, counted under their limits, or refused", async () => {
    const { admin, clock } = await setUp(name);
    const run = async (members: Members) => (await admin.post("run_event", members)).body;
    const calls = Array.from({ length: TIMES }, (_unused, index) => [
      run({ id: "free", params: { index } }),
      run({ id: "one" }),
      run({ id: "off" }),
      run({ id: "free", idempotency_key: "same" }),
    ]);
    const answers = await Promise.all(calls.map((four) => Promise.all(four)));
    expect(answers.map(([, , off]) => off.description)).toEqual(Array(TIMES).fill("Event is disabled: off"));
    const ids = answers.flatMap(([free, one]) => [free.id, one.id]);
    const [same, ...others] = new Set(answers.map(([, , , keyed]) => keyed.id));
    expect([typeof same, others]).toEqual(["string", []]);
    const jobs = async () => (await admin.post("get_active_jobs", { limit: 1000 })).body.rows as Members[];
    const count = (rows: readonly Members[], event: string, state: string): number =>
      rows.filter((job) => job["event"] === event && job["state"] === state).length;
    await untilOf(clock)(async () => {
      const rows = await jobs();
      return count(rows, "free", "active") === TIMES + 1 && count(rows, "one", "queued") === TIMES - 1;
    });
    const rows = await jobs();
    expect(rows.map(({ id }) => id).toSorted()).toEqual([...ids, same].toSorted());
    expect(count(rows, "one", "active")).toBe(1);
    const numbers = rows.flatMap((job) => (job["params"] as Members)["index"] ?? []).map(Number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: TIMES }, (_unused, index) => index));
  });
});

test("on two nodes are as many as the cap of the minute allows", async () => {
  const connectionString = await lendDatabase();
  const config = { tz: "UTC", max_jobs_per_min: 40, job_universal_actions: { default: [], workflow: [] } };
  const open = () =>
    openEngine("postgres", { storage: pgStorage({ connectionString }), blobs: memoryBlobStore(), config });
  const [one, two] = [await open(), await open()];
  await one.admin.post("create_event", eventOf({ id: "free", title: "Free" }));
  await expect.poll(() => two.engine.api.getEvent({ id: "free" }).catch(() => undefined)).toBeDefined();
  const launch = ({ engine }: typeof one) => engine.api.runEvent({ id: "free" });
  const ended = await Promise.allSettled(Array.from({ length: 60 }, (_unused, index) => launch(index % 2 ? one : two)));
  const refusals = ended.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
  expect(
    new Set(refusals.map((text) => text.includes("Global jobs per minute limit has been reached (40/min)"))),
  ).toEqual(new Set([true]));
  expect(refusals.length).toBeGreaterThanOrEqual(20);
  expect(refusals.length).toBeLessThanOrEqual(24);
});
