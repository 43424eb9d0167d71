import { memoryStorage } from "@signalbox/core";
import type { AgentMessage } from "@signalbox/core/adapter";
import { fakeClock, openSatellite, type SocketSatellite } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import { type Conductor, captured, conversation, SECRET_KEY, useConductors } from "../../test/ws-conductor.ts";

const start = useConductors();
const hello = captured("agent-hello");
const info = hello["info"] as Record<string, unknown>;

/** Runs an event on the satellite and returns the launch message. */
async function launch({ api, clock }: Conductor, satellite: SocketSatellite, plugin = "shellplug") {
  const members = {
    ...{ title: "Nightly", enabled: true, category: "general", plugin, params: { script: "echo started" } },
    ...{ targets: [satellite.id], algo: "random", triggers: [{ type: "manual", enabled: true }] },
  };
  const { event } = await api.createEvent(members as never);
  const launched = satellite.next("launch_job");
  await api.runEvent({ id: (event as { id: string }).id } as never);
  await clock.advance(2);
  const { data } = await launched;
  return data as { readonly job: { readonly id: string; readonly state: string }; readonly details: object };
}

const replay = (satellite: SocketSatellite, lines: readonly { dir: string; cmd: string; data: unknown }[]): void => {
  for (const { dir, cmd, data } of lines) if (dir === "in") satellite.send(cmd, data);
};
const commands = (messages: readonly AgentMessage[]): string[] => messages.map(({ cmd }) => cmd);

describe("handshake", () => {
  test("the captured hello of a new satellite is answered with a nonce and an id, and its token A with the welcome", async () => {
    const { join, url, api } = await start();
    const satellite = await join({ info, join: { clusterKey: SECRET_KEY } });
    expect(commands(satellite.received)).toEqual(["hello", "joined"]);
    expect(satellite.received[0]?.data).toEqual({
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      id: expect.stringMatching(/^s[a-z0-9]{15}$/),
    });
    const joined = satellite.received[1]?.data as Record<string, unknown>;
    expect(Object.keys(joined).toSorted()).toEqual([
      ...["commands", "config", "features", "groups", "masterData", "numServers", "plugins"],
    ]);
    expect(joined).toMatchObject({ numServers: 1, groups: ["main"], features: { api_finish_job: true } });
    // The host by which it reached the engine.
    expect(joined).toMatchObject({ masterData: { masters: [new URL(url).hostname] } });
    expect((await api.getActiveServers()).rows).toMatchObject([
      { id: satellite.id, hostname: "web01.example.internal", ip: "127.0.0.1", online: true },
    ]);
    expect(url).toMatch(/\/$/);
  });

  test("token B joins, and a wrong token is refused permanently", async () => {
    const { join, activity } = await start();
    expect((await join({ id: "s1" })).isOpen).toBe(true);
    await expect(join({ id: "s2", hostname: "bad", join: { token: "x" } })).rejects.toThrow(
      "The connection has ended: 1000 Invalid authentication token.",
    );
    expect(await activity()).toContain(
      "warning: Server authentication failure (mismatched secret keys): bad (127.0.0.1)",
    );
  });

  test("the sixth failure of an address is answered with retry, also for the right token", async () => {
    const { join, url } = await start();
    for (let count = 0; count < 5; count++)
      await expect(join({ hostname: "bad", join: { token: "x" } })).rejects.toThrow("Invalid");
    const satellite = await openSatellite(url);
    satellite.send("hello", { hostname: "web01", id: "s1", info });
    await satellite.message("hello");
    satellite.send("join", { token: "x" });
    expect((await satellite.message("retry")).data).toEqual({});
    expect((await satellite.closed).code).toBe(1000);
  });
});

describe("samples", () => {
  test("the captured minute and second of a satellite are evaluated and stored", async () => {
    const { join, api, clock, signalbox } = await start();
    const satellite = await join({ info });
    const stored = new Promise((resolve) => signalbox.events.on("server.minute", resolve as never));
    satellite.send("monitor", { ...captured("agent-monitor"), date: clock.now() });
    satellite.send("quickmon", captured("agent-quickmon"));
    await stored;
    const latest = await api.getLatestMonitorData({ server: satellite.id, sys: "hourly", limit: 60 } as never);
    expect(latest).toMatchObject({ rows: [{ totals: {} }], data: { hostname: "web01.example.internal" } });
    const quick = (await api.getQuickmonData({ server: satellite.id } as never)) as {
      servers: Record<string, unknown[]>;
    };
    expect(quick.servers[satellite.id]).toContainEqual(expect.objectContaining({ id: "_qm_mem_used" }));
  });

  test("a satellite whose clock is a year off is stored under our time", async () => {
    const { join, api, clock, signalbox } = await start();
    const satellite = await join({ info });
    const stored = new Promise((resolve) => signalbox.events.on("server.minute", resolve as never));
    satellite.send("monitor", { ...captured("agent-monitor"), date: clock.now() - 31_536_000 });
    await stored;
    const { data } = await api.getLatestMonitorData({ server: satellite.id, sys: "hourly", limit: 1 } as never);
    expect(data["date"]).toBe(Math.floor(clock.now()));
  });
});

describe("jobs", () => {
  test("the captured job runs: launched, reported, logged, tagged, finished", async () => {
    const conductor = await start();
    const satellite = await conductor.join({ info });
    const { job } = await launch(conductor, satellite);
    expect(job.state).toBe("active");
    replay(satellite, conversation("jobs-shell", { job: job.id, server: satellite.id }));
    const { api, clock, until } = conductor;
    const read = async () => ((await api.getJob({ id: job.id } as never)) as { job: Record<string, unknown> }).job;
    await until(async () => {
      await clock.advance(1);
      return (await read())["final"] === true;
    });
    expect(await read()).toMatchObject({ code: 0, description: "Backup finished", state: "complete" });
  });

  test("the captured abort is sent to the satellite and ends with its answer", async () => {
    const conductor = await start();
    const { api, clock, until } = conductor;
    const satellite = await conductor.join({ info });
    const { job } = await launch(conductor, satellite);
    const lines = conversation("jobs-abort", { job: job.id, server: satellite.id });
    const cut = lines.findIndex(({ cmd }) => cmd === "abort_job");
    replay(satellite, lines.slice(0, cut));
    const asked = satellite.next("abort_job");
    await api.abortJob({ id: job.id } as never);
    expect((await asked).data).toEqual({ id: job.id, reason: expect.stringContaining("Manually aborted") });
    replay(satellite, lines.slice(cut));
    await until(async () => {
      await clock.advance(1);
      return (
        ((await api.getJob({ id: job.id } as never)) as { job: { code?: unknown; final?: boolean } }).job.final === true
      );
    });
  });

  test("a job of another server is refused once, and is not changed", async () => {
    const conductor = await start();
    const owner = await conductor.join({ info, id: "s1" });
    const thief = await conductor.join({ info, id: "s2", hostname: "thief" });
    const { job } = await launch(conductor, owner);
    const stolen = { id: job.id, state: "complete", code: 1, description: "Stolen" };
    const refused = thief.next("abort_job");
    thief.send("jobs", { [job.id]: stolen });
    thief.send("job_log", { id: job.id, text: "Stolen" });
    thief.send("job_meta", { id: job.id, text: "Stolen" });
    expect((await refused).data).toEqual({ id: job.id, reason: "Job is not assigned to this server." });
    thief.send("jobs", { [job.id]: stolen });
    await conductor.clock.advance(5);
    expect(thief.received.filter(({ cmd }) => cmd === "abort_job")).toHaveLength(1);
    const { job: after } = (await conductor.api.getJob({ id: job.id } as never)) as { job: Record<string, unknown> };
    expect(after["state"]).toBe("active");
    expect(JSON.stringify(after)).not.toContain("Stolen");
  });
});

describe("messages of the engine to a satellite", () => {
  test("echoes are answered, and the round trip is sent with the next one", async () => {
    const { join, clock, until } = await start({ config: { ping_freq_sec: 1000 } });
    const satellite = await join({ info });
    for (let count = 0; count < 64; count++) await clock.advance(1);
    await until(() => satellite.received.filter(({ cmd }) => cmd === "echo").length >= 3);
    const [first] = satellite.received.filter(({ cmd }) => cmd === "echo");
    expect(first?.data).toEqual({ id: expect.stringMatching(/^e/), last_ping_ms: expect.any(Number) });
    expect(satellite.isOpen).toBe(true);
  });

  test("a new group, a new plugin and a grown fleet are sent as updates of their own members", async () => {
    const { join, api, clock } = await start();
    const satellite = await join({ info });
    const groups = satellite.next("update");
    await api.createGroup({ id: "web", title: "Web", hostname_match: "^web" } as never);
    expect((await groups).data).toMatchObject({ groups: ["main", "web"] });
    const plugins = satellite.next("update");
    await api.createPlugin({ title: "Mine", type: "event", command: "/bin/cat", enabled: true } as never);
    const update = (await plugins).data as { plugins: { title?: string; command: string }[] };
    expect(update.plugins.at(-1)).toMatchObject({ command: "/bin/cat" });
    const grown = satellite.next("update");
    await join({ info, hostname: "web02", id: "s2" });
    await clock.advance(1);
    expect((await grown).data).toEqual({ numServers: 2 });
    const members = satellite.received
      .filter(({ cmd }) => cmd === "update")
      .flatMap(({ data }) => Object.keys(data as object));
    expect(new Set(members)).toEqual(new Set(["groups", "commands", "plugins", "numServers"]));
  });

  test("a monitor plugin is tried on a satellite", async () => {
    const { join, api } = await start();
    const satellite = await join({ info });
    const { plugin } = (await api.createPlugin({
      ...{ title: "Files", type: "monitor", command: "/bin/sh", script: "echo 1", enabled: true, format: "text" },
    } as never)) as { plugin: { id: string } };
    const asked = satellite.next("testMonitorPlugin");
    const tested = api.testMonitorPlugin({ id: plugin.id, server: satellite.id } as never);
    const { data } = await asked;
    const request = data as { plugin_id: string; request_id: string };
    satellite.send("monitorPluginTestResult", { ...request, result: "1\n", stderr: "" });
    expect(await tested).toMatchObject({ result: "1\n" });
  });

  test("upgrades are sent to satellites", async () => {
    const { join, api, clock } = await start();
    const satellite = await join({ info, id: "s1" });
    const told = satellite.next("upgrade");
    await api.adminUpgradeWorkers({ targets: ["s1"], release: "latest", stagger: 0 } as never);
    await clock.advance(2);
    expect((await told).data).toEqual({});
  });

  test("a deleted server is told to uninstall itself", async () => {
    const { join, api } = await start();
    const satellite = await join({ info, id: "s1" });
    const told = satellite.next("uninstall");
    await api.deleteServer({ id: "s1", history: false } as never);
    expect((await told).data).toEqual({});
  });
});

test.each([{}, { details: null }])(
  "a remark of a satellite with no more than %j beside its text is kept",
  async (more) => {
    const { join, activity, until } = await start();
    const satellite = await join({ info });
    satellite.send("critical", { description: "It fell over", ...more });
    await until(async () => (await activity()).includes("critical: It fell over"));
  },
);

test("remarks of satellites go into the activity log under their name", async () => {
  const { join, activity, until } = await start();
  const satellite = await join({ info });
  for (const level of ["notice", "warning", "error", "critical"])
    satellite.send(level, { description: `A ${level}`, details: "x", id: "forged", username: "admin" });
  await until(async () => (await activity()).filter((row) => row.includes(": A ")).length === 4);
  expect((await activity()).filter((row) => row.includes(": A "))).toEqual([
    ...["notice: A notice", "warning: A warning", "error: A error", "critical: A critical"],
  ]);
});

describe("rotation of the secret key", () => {
  const NEW_KEY = "a newer cluster key";

  test("a token of the earlier key joins, and the satellite gets one of the new key", async () => {
    const { join } = await start({ secretKeys: [NEW_KEY, SECRET_KEY] });
    const satellite = await join({ info, id: "s1" });
    const { data } = await satellite.message("updateConfig");
    const { auth_token } = data as { auth_token: string };
    satellite.close();
    const again = await join({ info, id: "s1", join: { token: auth_token } });
    expect(commands(again.received)).toEqual(["hello", "joined"]);
  });

  test("the earlier key enrols no one, and is valid for a day however often the engine restarts", async () => {
    const clock = fakeClock();
    const storage = memoryStorage({ clock });
    const rotated = { secretKeys: [NEW_KEY, SECRET_KEY], clock, storage };
    const { join, signalbox } = await start(rotated);
    await expect(join({ info, join: { clusterKey: SECRET_KEY } })).rejects.toThrow("Invalid");
    clock.step(23 * 3600);
    expect((await join({ info, id: "s1" })).isOpen).toBe(true);
    await signalbox.stop();
    const later = await start(rotated);
    expect((await later.join({ info, id: "s1" })).isOpen).toBe(true);
    clock.step(3600);
    await expect(later.join({ info, id: "s1" })).rejects.toThrow("Invalid");
  });
});
