import type { SignalboxEvents } from "@signalbox/core";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE, STORAGES } from "./open-storage.ts";

/** An engine over a storage, and servers that report when told to. */
async function open(name: string) {
  const { admin, agent, clock, engine, limited, send } = await openEngine(name);
  const minutesOf = (count: number): Promise<void> =>
    new Promise((resolve) => {
      let seen = 0;
      const listener = (_minute: SignalboxEvents["server.minute"]): void => {
        seen += 1;
        if (seen < count) return;
        engine.events.off("server.minute", listener);
        resolve();
      };
      engine.events.on("server.minute", listener);
    });
  return {
    ...admin,
    clock,
    engine,
    send,
    connect: (id: string) => agent.connect({ hostname: `${id}.example.internal`, id, initial: { groups: ["main"] } }),
    /** Advances to the next minute, in which all servers report at once. */
    async minute(servers: readonly { send(cmd: string, data: unknown): void }[], data: Record<string, unknown>) {
      await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
      const stored = minutesOf(servers.length);
      for (const server of servers) server.send("monitor", { version: "1.0", date: clock.now(), data });
      await stored;
    },
    limited: () => limited(["main"], { create_monitors: true, edit_monitors: true, delete_monitors: true }),
  };
}

const mine = { id: "mine", title: "Mine", source: "load[0]", data_type: "float" };

describe.each(STORAGES)("concurrent creations over %s", (name) => {
  test("give monitors and routes different orders", async () => {
    const at = await open(name);
    const ids = ["one", "two", "three", "four"];
    const ordersOf = async (noun: string, members: object): Promise<number[]> => {
      const made = await Promise.all(ids.map((id) => at.post(`create_${noun}`, { ...members, id })));
      return made.map(({ body }) => body[noun].sort_order).toSorted((a, b) => a - b);
    };
    expect(await ordersOf("monitor", mine)).toEqual([15, 16, 17, 18]);
    await at.post("create_receiver", { id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
    expect(await ordersOf("route", { title: "R", steps: [{ after: 0, to: ["ops"] }] })).toEqual([0, 1, 2, 3]);
  });
});

describe.each(ONE_STORAGE)("monitors over %s", (name) => {
  test("a monitor lives from create to delete", async () => {
    const { get, post } = await open(name);
    const made = await post("create_monitor", { ...mine, custom: { kept: [1, null] } });
    expect(made).toMatchObject({
      status: 200,
      body: { code: 0, monitor: { id: "mine", sort_order: 15, revision: 1 } },
    });
    expect((await get("get_monitor/v1?id=mine")).body.monitor).toMatchObject({ custom: { kept: [1, null] } });
    expect((await post("get_monitor", { id: "mine" })).body.monitor).toMatchObject({ title: "Mine" });
    expect(await post("update_monitor", { id: "mine", title: "Ours", if_revision: 7 })).toMatchObject({
      status: 409,
      body: { code: "monitor", description: "Monitor out of date: mine (Revision mismatch: 7 != 1)" },
    });
    const updated = await post("update_monitor", { id: "mine", title: "Ours", revision: 7 });
    expect(updated.body).toMatchObject({ code: 0, monitor: { title: "Ours", source: "load[0]", revision: 2 } });
    const items = [{ id: "mine", sort_order: 0 }, { id: "nope" }];
    expect((await post("multi_update_monitor", { items })).text).toBe('{"code":0}\n');
    const { rows, list } = (await get("get_monitors/v1")).body;
    expect([rows.length, list.length, rows[15]]).toMatchObject([16, 16, { sort_order: 0, revision: 2 }]);
    expect((await post("delete_monitor", { id: "mine" })).text).toBe('{"code":0}\n');
    expect(await get("get_monitor/v1?id=mine")).toMatchObject({
      status: 404,
      body: { code: "notfound", description: "Failed to locate monitor: mine" },
    });
  });

  test.each([
    ["create_monitor", { ...mine, id: "load_avg" }, 409, "monitor", "That Monitor ID already exists: load_avg"],
    ["create_monitor", { ...mine, data_type: "x" }, 400, "api", "Malformed parameter: data_type"],
    ["create_monitor", { ...mine, id: "totals" }, 400, "monitor", "Invalid value for id"],
    ["update_monitor", { id: "load_avg", data_type: "x y" }, 400, "monitor", "Invalid data type: x y"],
    ["update_monitor", { id: "nope" }, 404, "monitor", "Failed to update monitor: Error: Item not found"],
    ["delete_monitor", { id: "nope" }, 404, "monitor", "Failed to delete monitor: Error: Item not found"],
    ["multi_update_monitor", {}, 400, "api", "Request missing 'items' parameter, or has zero length."],
    [
      "test_monitor",
      { server: "s1", source: "1", data_type: "float" },
      404,
      "monitor",
      "Failed to load server data: Error: Item not found",
    ],
  ])("%s refuses %j", async (operation, body, status, code, description) => {
    const { post } = await open(name);
    const answer = await post(operation, body);
    expect(answer.body).toMatchObject({ code, description });
    expect(answer.status).toBe(status);
  });

  test.each([
    ["update_monitor", { id: "load_avg", data_type: "x y" }, "monitor", "Invalid data type: x y"],
    ["update_monitor", { id: "load_avg", data_type: "double" }, "monitor", "Invalid data type: double"],
    ["create_monitor", { ...mine, data_type: "double" }, "api", "Malformed parameter: data_type"],
    ["multi_update_monitor", { items: [{ id: "x", data_type: "double" }] }, "monitor", "Invalid data type: double"],
  ])("%s of %j is refused before the key is checked", async (operation, members, code, description) => {
    const { send } = await open(name);
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(members) };
    expect((await send(`/api/app/${operation}/v1`, init)).body).toMatchObject({ code, description });
  });
});

describe.each(STORAGES)("minutes over %s", (name) => {
  test("minutes of many servers that arrive together are evaluated, stored and read back", async () => {
    const { connect, get, post, minute } = await open(name);
    const ids = Array.from({ length: 140 }, (_unused, index) => `s${index}`);
    const servers = await Promise.all(ids.map(connect));
    await post("create_monitor", { ...mine, source: "host.none ?: load[0]" });
    const reading = { load: [2.5], stats: { fs: { rx: 1000 } }, odd: "\u0000 \ud800 naïve" };
    await minute(servers, reading);
    await minute(servers, { ...reading, stats: { fs: { rx: 1000 + 60 * 5 } } });
    for (const id of ["s0", "s64", "s139"]) {
      const { rows, data } = (await get(`get_latest_monitor_data/v1?server=${id}&sys=hourly&limit=60`)).body;
      expect(rows).toMatchObject([
        { mine: 2.5, disk_read_sec: 0 },
        { mine: 2.5, disk_read_sec: 5, count: 1 },
      ]);
      expect(data).toMatchObject({ server: id, data: { odd: "\u0000 \ud800 naïve", deltas: { disk_read_sec: 5 } } });
    }
    const trial = { server: "s77", source: "monitors.mine * 2", data_type: "float" };
    expect((await post("test_monitor", trial)).body).toEqual({ code: 0, value: 5, fail: false });
    expect((await post("test_monitor", { ...trial, source: "nope[0]" })).body).toEqual({ code: 0, fail: true });
  });
});

describe.each(ONE_STORAGE)("limited callers over %s", (name) => {
  test("callers limited to groups may not manage monitors", async () => {
    const { limited } = await open(name);
    const caller = await limited();
    const trial = { server: "s1", source: "1", data_type: "float" };
    const calls = {
      create_monitor: mine,
      update_monitor: { id: "load_avg" },
      delete_monitor: { id: "load_avg" },
      multi_update_monitor: { items: [{ id: "load_avg" }] },
      test_monitor: trial,
    };
    for (const [operation, body] of Object.entries(calls))
      expect((await caller.post(operation, body)).body).toMatchObject({
        code: "alert",
        description: "Group-limited users may not manage monitors.",
      });
  });
});
