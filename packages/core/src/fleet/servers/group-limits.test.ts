import { describe, expect, onTestFinished, test } from "vitest";
import minute from "../../testing/fixtures/agent-monitor.json" with { type: "json" };
import { launched, startJobs } from "../../testing/test-jobs.ts";

/** Two servers in the groups "main" and "small". */
async function setUp() {
  const jobs = await startJobs({ config: { max_jobs_per_min: 0, alert_universal_actions: [] } });
  onTestFinished(() => jobs.signalbox.stop());
  const { api } = jobs.signalbox;
  await api.createGroup({ id: "small", title: "Small", hostname_match: "^s" });
  const servers = await Promise.all(
    ["s1", "s2"].map((id) => jobs.connect({ id, hostname: id, initial: { groups: ["main", "small"] } })),
  );
  const event = await jobs.event({ algo: "prefer_first" });
  return {
    ...jobs,
    api,
    servers,
    /** Launches `count` jobs; returns the number that each server got. */
    async run(count: number): Promise<number[]> {
      for (let n = 0; n < count; n++) await api.runEvent({ id: event });
      await jobs.settle(1);
      return servers.map((server) => launched(server).length);
    },
  };
}

describe("group rule: a server gets no more jobs than its groups allow", () => {
  test("the lowest max_jobs_per_server of its groups applies, 0 and absent do not", async () => {
    const at = await setUp();
    await at.api.updateGroup({ id: "main", max_jobs_per_server: 3 });
    await at.api.updateGroup({ id: "small", max_jobs_per_server: 1 });
    expect(await at.run(5)).toEqual([1, 1]);
    await at.api.updateGroup({ id: "small", max_jobs_per_server: 0 });
    expect(await at.run(5)).toEqual([3, 3]);
  });

  test("maxJobs of the server itself takes precedence over its groups", async () => {
    const at = await setUp();
    await at.api.updateGroup({ id: "small", max_jobs_per_server: 1 });
    await at.api.updateServer({ id: "s1", maxJobs: 2 });
    expect(await at.run(5)).toEqual([2, 1]);
  });

  test("a server that leaves a group is no longer limited by it", async () => {
    const at = await setUp();
    await at.api.updateGroup({ id: "small", max_jobs_per_server: 1 });
    await at.api.updateServer({ id: "s1", groups: ["main"] });
    expect(await at.run(5)).toEqual([5, 0]);
  });
});

test("group rule: a disabled server gets no jobs and stays monitored", async () => {
  const at = await setUp();
  await at.api.updateServer({ id: "s1", enabled: false });
  expect(await at.run(2)).toEqual([0, 2]);
  await at.clock.advanceTo(Math.floor(at.clock.now() / 60) * 60 + 61);
  const stored = at.next("server.minute");
  at.servers[0]?.send("monitor", { version: "1.0", date: at.clock.now(), data: minute.data });
  expect(await stored).toEqual({ id: "s1" });
});

test("group rule: while an alert with limit_jobs is live on a server, it gets no jobs", async () => {
  const at = await setUp();
  await at.api.createAlert({ id: "hot", title: "Hot", expression: "1", message: "m", limit_jobs: true });
  await at.clock.advanceTo(Math.floor(at.clock.now() / 60) * 60 + 61);
  const fired = at.next("alert.fired");
  at.servers[0]?.send("monitor", { version: "1.0", date: at.clock.now(), data: minute.data });
  await fired;
  expect(await at.run(2)).toEqual([0, 2]);
});

test("group rule: an event that targets a group runs on the present servers of the group", async () => {
  const at = await setUp();
  const event = await at.event({ targets: ["small"], algo: "prefer_first" });
  await at.api.updateServer({ id: "s1", groups: ["main"] });
  const { id } = await at.api.runEvent({ id: event });
  await at.settle(1);
  expect((await at.api.getJob({ id })).job).toMatchObject({ server: "s2", groups: ["main", "small"] });
  // A running job keeps the groups with which it started.
  await at.api.updateServer({ id: "s2", groups: ["main"] });
  expect((await at.api.getJob({ id })).job).toMatchObject({ groups: ["main", "small"] });
});

test("group rule: a server without groups gets only the monitors and alerts without groups", async () => {
  const at = await setUp();
  for (const id of ["scoped", "free"]) {
    const groups = id === "scoped" ? ["main"] : [];
    const monitor = { id, title: id, source: "cpu.currentLoad", data_type: "float", groups } as const;
    await at.api.createMonitor(monitor);
    await at.api.createAlert({ id, title: id, expression: "1", message: "m", groups });
  }
  await at.api.updateServer({ id: "s1", groups: [] });
  await at.clock.advanceTo(Math.floor(at.clock.now() / 60) * 60 + 61);
  const stored = at.next("server.minute");
  at.servers[0]?.send("monitor", { version: "1.0", date: at.clock.now(), data: minute.data });
  await stored;
  const { data } = await at.api.getServer({ id: "s1" });
  const { monitors } = (data as { data: { monitors: Record<string, number> } }).data;
  expect(monitors).toHaveProperty("free");
  expect(monitors).not.toHaveProperty("scoped");
  const { rows } = await at.api.searchAlerts({ query: "server:s1", limit: 50 });
  const alerts = rows.map(({ alert }) => alert);
  expect(alerts).toContain("free");
  expect(alerts).not.toContain("scoped");
});
