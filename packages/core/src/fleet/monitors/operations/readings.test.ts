import { describe, expect, test } from "vitest";
import { type Fleet, limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import { systemActor } from "../../../kernel/calls/context.ts";
import quickmon from "../../../testing/fixtures/agent-quickmon.json" with { type: "json" };

const start = useFleets();
const join = (fleet: Fleet, id = "s1") => fleet.agent.connect({ hostname: `host-${id}`, id });

describe("reading timelines", () => {
  test("history starts at the bucket of a time and ends with the list", async () => {
    const fleet = await start();
    const server = await join(fleet);
    for (const jobs of [1, 2, 3]) await fleet.minute(server, { jobs });
    const first = Math.floor(fleet.clock.now() / 60) * 60 - 120;
    const read = async (date: number, limit: number | string) =>
      (await fleet.signalbox.api.getHistoricalMonitorData({ server: "s1", sys: "minute", date, limit })).rows.map(
        (row) => row["active_jobs"],
      );
    expect(await read(first + 60, 10)).toEqual([2, 3]);
    expect(await read(first - 60, 2)).toEqual([1]);
    expect(await read(first, "2")).toEqual([1, 2]);
    expect(await read(first + 600, 2)).toEqual([]);
    expect(await read(first, 0)).toEqual([]);
  });

  test("both reads answer columns of the named monitors instead of rows", async () => {
    const fleet = await start();
    const server = await join(fleet);
    for (const jobs of [1, 2, 3]) await fleet.minute(server, { jobs });
    const first = Math.floor(fleet.clock.now() / 60) * 60 - 120;
    const { api } = fleet.signalbox;
    const form = { shape: "columns" as const, monitors: ["active_jobs", "nobody"] };
    const asked = { server: "s1", sys: "hourly", limit: 2, ...form };
    expect(await api.getHistoricalMonitorData({ ...asked, date: first })).toEqual({
      rows: [],
      columns: { date: first, step: 60, length: 2, monitors: { active_jobs: [1, 2] } },
    });
    expect(await api.getLatestMonitorData(asked)).toMatchObject({
      rows: [],
      columns: { date: first + 60, monitors: { active_jobs: [2, 3] } },
    });
    const all = await api.getHistoricalMonitorData({
      server: "s1",
      sys: "hourly",
      date: 1,
      limit: 9,
      shape: "columns",
    });
    expect(all.columns).toEqual({ date: 0, step: 60, length: 0, monitors: {} });
  });

  test.each([
    ["an unknown list", { server: "s1", sys: "weekly", limit: 1 }, "monitor", "Unknown system: weekly"],
    ["an unknown server", { server: "nope", sys: "hourly", limit: 1 }, "notfound", "Failed to locate server: nope"],
    [
      "a server without a minute",
      { server: "s1", sys: "hourly", limit: 1 },
      "monitor",
      "Failed to load server data: Error: Item not found",
    ],
    ["a limit that is not a number", { server: "s1", sys: "hourly", limit: "x" }, "api", "Malformed parameter: limit"],
    ["no limit", { server: "s1", sys: "hourly" }, "api", "Missing parameter: limit"],
  ])("%s is refused", async (_fact, input, code, description) => {
    const fleet = await start();
    await join(fleet);
    const call = fleet.signalbox.execute({ operation: "get_latest_monitor_data", input, actor: systemActor });
    await expect(call).rejects.toMatchObject({ code, description });
  });

  test("an unknown list is refused before the caller is checked", async () => {
    const { signalbox } = await start();
    const refused = { code: "monitor", description: "Unknown system: weekly" };
    const asked = { server: "s1", sys: "weekly", limit: 1 };
    await expect(signalbox.as({}).getLatestMonitorData(asked)).rejects.toMatchObject(refused);
    await expect(signalbox.as({}).getHistoricalMonitorData({ ...asked, date: 1 })).rejects.toMatchObject(refused);
  });

  test("a server of other groups is refused", async () => {
    const fleet = await start();
    await fleet.minute(await join(fleet), {});
    const db = fleet.signalbox.as(limitedTo("db"));
    await expect(db.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 1 })).rejects.toMatchObject({
      code: "access",
      description: "You do not have the required account privileges to access server ID s1.",
    });
  });
});

describe("get_quickmon_data", () => {
  const prepare = async (): Promise<Fleet> => {
    const fleet = await start();
    const server = await join(fleet);
    server.send("quickmon", quickmon);
    await fleet.clock.advance(2);
    server.send("quickmon", { ...quickmon, net: { rx: quickmon.net.rx + 500, tx: quickmon.net.tx } });
    return fleet;
  };
  const ask = (fleet: Fleet, input: object, client: object, actor = systemActor) =>
    fleet.signalbox.execute({
      operation: "get_quickmon_data",
      input,
      actor,
      client: {
        ips: [],
        ip: "",
        headers: {},
        userAgent: "",
        baseUrl: "",
        method: "POST",
        versioned: true,
        pathSuffix: "",
        ...client,
      },
    }) as Promise<{ servers: Record<string, Record<string, unknown>[]> }>;

  test("a versioned POST answers the newest values, rates included", async () => {
    const fleet = await prepare();
    const { servers } = await ask(fleet, {}, {});
    expect(servers["s1"]?.[0]).toEqual({ id: "_qm_cpu_load", value: 1.95, date: Math.floor(fleet.clock.now()) });
    expect(servers["s1"]?.find(({ id }) => id === "_qm_net_in_sec")).toMatchObject({ value: 250 });
  });

  test.each([
    ["a GET", { method: "GET" }],
    ["an unversioned path", { versioned: false }],
  ])("%s answers the samples", async (_fact, client) => {
    const { servers } = await ask(await prepare(), {}, client);
    expect(servers["s1"]).toHaveLength(2);
    expect(servers["s1"]?.[0]).toMatchObject({ _qm_net_in_sec: quickmon.net.rx });
  });

  test("may name the shape of its answer", async () => {
    const { servers } = await ask(await prepare(), { shape: "samples" }, {});
    expect(servers["s1"]?.[1]).toHaveProperty("_qm_cpu_load");
  });

  test("columns name the servers once, and contain the named monitors", async () => {
    const answer = await ask(await prepare(), { shape: "columns", monitors: "_qm_net_in_sec,_qm_cpu_load" }, {});
    expect(answer).toEqual({
      servers: {},
      columns: { servers: ["s1"], monitors: { _qm_cpu_load: [1.95], _qm_net_in_sec: [250] } },
    });
  });

  test("a disconnected server has an empty list, which limited callers do not get", async () => {
    const fleet = await prepare();
    expect((await ask(fleet, { server: "nope" }, {})).servers).toEqual({ nope: [] });
    expect((await ask(fleet, { server: "nope" }, {}, limitedTo("main"))).servers).toEqual({});
  });

  test("includes servers by group and access", async () => {
    const fleet = await prepare();
    expect(Object.keys((await ask(fleet, { group: "main" }, {})).servers)).toEqual(["s1"]);
    expect((await ask(fleet, { group: "nope" }, {})).servers).toEqual({});
    expect((await ask(fleet, {}, {}, limitedTo("db"))).servers).toEqual({});
    await expect(ask(fleet, { group: "main" }, {}, limitedTo("db"))).rejects.toThrow("access group ID main.");
    await expect(ask(fleet, { server: "s1" }, {}, limitedTo("db"))).rejects.toThrow("access server ID s1.");
  });

  test.each([
    ["s1", "the connected server of that name", ["s1"]],
    ["other, none", "no server for unknown names", []],
    [[], "no server for an empty list", []],
  ])("servers %j are %s", async (servers, _who, expected) => {
    const fleet = await prepare();
    expect(Object.keys((await ask(fleet, { servers }, {})).servers)).toEqual(expected);
    expect((await ask(fleet, { servers }, {}, limitedTo("db"))).servers).toEqual({});
  });

  test("samples are deleted when the connection ends", async () => {
    const fleet = await start();
    const server = await join(fleet);
    server.send("quickmon", quickmon);
    server.close();
    await join(fleet);
    expect((await ask(fleet, {}, {})).servers).toEqual({ s1: [] });
  });
});
