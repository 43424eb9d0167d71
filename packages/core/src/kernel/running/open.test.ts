import { expect, test } from "vitest";
import { START, startEngine } from "../../../test/engine.ts";
import { createSignalbox } from "../../engine/signalbox.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { AgentTransport } from "../../ports/agents/agent-transport.ts";
import { silentLogger } from "../../ports/logger.ts";
import { type FakeClock, fakeClock } from "../../testing/fake-clock.ts";

const secretKey = "correct horse battery staple";
/** A storage that outlives its engines, as a file does. */
const keptStorage = (clock: FakeClock) => ({ ...memoryStorage({ clock }), close: async () => undefined });

/** An engine on a kept storage that has not been started or opened yet. */
function engineOn(storage: ReturnType<typeof keptStorage>, options: { clock: FakeClock; secretKey?: string }) {
  return createSignalbox({ storage, secretKey, log: silentLogger, ...options });
}

/** An engine that is opened on a new storage. */
async function openNew() {
  const clock = fakeClock(START);
  const storage = keptStorage(clock);
  const opened = engineOn(storage, { clock });
  await opened.open();
  return { clock, storage, opened };
}

/** Events of all jobs, running and finished. */
async function jobsOf({ api }: Pick<ReturnType<typeof engineOn>, "api">): Promise<unknown[]> {
  const lists = await Promise.all([api.getActiveJobs(), api.searchJobs({ query: "*", limit: 100 })]);
  return lists.flatMap(({ rows }) => rows.map(({ event }) => event));
}

test("an opened engine answers calls, and a started one finds what they changed", async () => {
  const { clock, storage, opened } = await openNew();
  await opened.api.createTag({ id: "mine", title: "Mine" });
  await opened.stop();
  await expect(opened.api.getTags()).rejects.toThrow("The engine is not running: it was stopped");
  await using engine = await startEngine({ storage, clock });
  expect(await engine.api.getTag({ id: "mine" })).toMatchObject({ tag: { title: "Mine" } });
  // Opening did not count as the first start: this start creates the administrator.
  expect(engine.report.administratorKey).toBe("administrator0123456789abc");
});

test("an opened engine's counts are in the counters of the day", async () => {
  const { clock, storage, opened } = await openNew();
  await opened.api.createTicket({ subject: "Mine", type: "issue" });
  await opened.stop();
  await using engine = await startEngine({ storage, clock });
  const { stats } = await engine.api.dashStats({});
  expect(stats.day).toMatchObject({ transactions: { ticket_create: 1 } });
});

test("a record with the id of a default is kept by the first start", async () => {
  const { clock, storage, opened } = await openNew();
  await opened.api.createTag({ id: "important", title: "Mine" });
  await opened.api.createCategory({ id: "general", title: "Mine" });
  await opened.stop();
  await using engine = await startEngine({ storage, clock });
  const { rows } = await engine.api.getTags();
  expect(rows.map(({ id, title }) => [id, title])).toEqual([
    ["important", "Mine"],
    ["flag", "Flag"],
  ]);
  expect(await engine.api.getCategory({ id: "general" })).toMatchObject({ category: { title: "Mine" } });
});

test("an opened engine runs no schedule, no agent and no queued work, unlike a started one", async () => {
  const clock = fakeClock(START);
  const storage = keptStorage(clock);
  const first = await startEngine({ storage, clock });
  await first.api.createEvent({
    ...{ id: "hourly", title: "Hourly", enabled: true, category: "general", targets: ["main"], algo: "random" },
    ...{
      plugin: "shellplug",
      params: { script: "true" },
      triggers: [{ type: "schedule", enabled: true, minutes: [30] }],
    },
  });
  await first.stop();

  const begun: string[] = [];
  const agents: AgentTransport = {
    start: async () => void begun.push("agent"),
    stop: async () => undefined,
  } as Partial<AgentTransport> as AgentTransport;
  const opened = createSignalbox({ storage, secretKey, clock, agents, log: silentLogger });
  await opened.open();
  await storage.write((tx) => tx.enqueue("probe", {}));
  await clock.advance(3600);
  expect([begun, await jobsOf(opened)]).toEqual([[], []]);
  expect(await storage.work.stats()).toMatchObject({ open: 1 });
  await opened.stop();

  const done: string[] = [];
  await using later = await startEngine({
    ...{ storage, clock },
    plugins: [{ id: "probe", workers: { probe: async () => void done.push("work") } }],
  });
  await clock.advance(3600);
  expect([begun, done]).toEqual([[], ["work"]]);
  expect(await jobsOf(later)).toContain("hourly");
});

test("an opened engine has the runtime settings, and refuses a key that does not match the store", async () => {
  const clock = fakeClock(START);
  const storage = keptStorage(clock);
  const first = await startEngine({ storage, clock });
  await first.api.adminUpdateConfig({ "client.name": "Ledgerly" });
  await first.api.createSecret({ id: "s", title: "S", fields: [{ name: "A", value: "b" }] });
  await first.stop();
  const opened = engineOn(storage, { clock });
  await opened.open();
  expect(opened.config.client.name).toBe("Ledgerly");
  await opened.stop();
  const wrong = engineOn(storage, { clock, secretKey: "another key of the right length" });
  await expect(wrong.open()).rejects.toThrow("The secret key does not match the stored secrets");
});

test("an engine is opened or started, once", async () => {
  const clock = fakeClock(START);
  const opened = engineOn(keptStorage(clock), { clock });
  await opened.open();
  await expect(opened.start()).rejects.toThrow("This engine was started before");
  await expect(opened.open()).rejects.toThrow("This engine was started before");
  await opened.stop();
});
