import { describe, expect, test } from "vitest";
import { type Fleet, limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import { systemActor } from "../../../kernel/calls/context.ts";
import { definePlugin } from "../../../kernel/plugins/plugin.ts";
import latest from "../../../testing/fixtures/latest-monitor-data.json" with { type: "json" };

const start = useFleets();
const join = (fleet: Fleet, id = "s1") => fleet.agent.connect({ hostname: `host-${id}`, id });

describe("definitions", () => {
  const define = { title: "Load", source: "load[0]", data_type: "float" };

  test("a fresh store has the fifteen monitors of the contract, each in the activity log", async () => {
    const fleet = await start();
    const { rows } = await fleet.signalbox.api.getMonitors();
    expect(rows.map(({ id }) => id)).toEqual(Object.keys(latest.data.data.monitors));
    expect([...new Set(rows.map(({ suffix }) => suffix))]).toEqual(["", "%", "/sec"]);
    expect(rows[11]).toMatchObject({
      id: "os_bytes_in_sec",
      source: "stats.network.rx_bytes",
      data_type: "bytes",
      delta: true,
      delta_min_value: 0,
      divide_by_delta: true,
      sort_order: 11,
      username: "admin",
      groups: [],
      display: true,
      revision: 1,
    });
    const activity = await fleet.storage.read((tx) => tx.collection(activityCollection).list());
    expect(activity.filter(({ action }) => action === "monitor_create")).toHaveLength(15);
  });

  test("a monitor is created at the end of the list and evaluated from the next minute on", async () => {
    const fleet = await start();
    const { monitor } = await fleet.signalbox.api.createMonitor({ ...define, sort_order: 3 });
    expect(monitor).toMatchObject({
      enabled: true,
      display: true,
      groups: [],
      sort_order: 15,
      revision: 1,
      username: "system",
    });
    expect(monitor.id).toMatch(/^m[a-z0-9]{15}$/);
    await fleet.minute(await join(fleet), { load: [7] });
    const { data } = await fleet.signalbox.api.getServer({ id: "s1" });
    expect(data).toMatchObject({ data: { monitors: { [monitor.id]: 7 } } });
  });

  test("a changed source is used from the next minute on, a deleted monitor has no value", async () => {
    const fleet = await start();
    const server = await join(fleet);
    await fleet.signalbox.api.createMonitor({ ...define, id: "mine" });
    await fleet.minute(server, { load: [1, 2] });
    const { monitor } = await fleet.signalbox.api.updateMonitor({ id: "mine", source: "load[1]" });
    expect(monitor).toMatchObject({ source: "load[1]", title: "Load", revision: 2 });
    await fleet.minute(server, { load: [1, 2] });
    await fleet.signalbox.api.deleteMonitor({ id: "mine" });
    await fleet.minute(server, { load: [1, 2] });
    const { rows } = await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 3 });
    expect(rows.map((row) => row["mine"])).toEqual([1, 2, undefined]);
  });

  test.each([
    ["a source that is no expression", { source: "1 +" }, "monitor", /^Failed to compile expression: mine: ./],
    ["a source over the limits", { source: "(".repeat(200) + ")".repeat(200) }, "monitor", /nesting limit/],
    ["an invalid pattern", { data_match: "(" }, "monitor", /^Failed to compile data match regular expression: mine: ./],
    ["a wrong type of a member", { groups: "main" }, "monitor", /^Invalid value for groups$/],
    ["a wrong number", { multiply: "3" }, "monitor", /^Invalid value for multiply$/],
    ["a reserved id", { id: "epoch_div" }, "monitor", /^Invalid value for id$/],
    ["an id that exists", { id: "load_avg" }, "monitor", /^That Monitor ID already exists: load_avg$/],
    ["an unknown data type", { data_type: "furlongs" }, "api", /^Malformed parameter: data_type$/],
    ["a blank title", { title: " " }, "api", /^Malformed parameter: title$/],
    ["no source", { source: undefined }, "api", /^Missing parameter: source$/],
  ])("%s is refused", async (_fact, change, code, text) => {
    const { signalbox } = await start();
    const input = { ...define, id: "mine", ...change };
    const call = signalbox.execute({ operation: "create_monitor", input, actor: systemActor });
    await expect(call).rejects.toMatchObject({ code, description: expect.stringMatching(text) });
  });

  test("an update that fails leaves the old source in use", async () => {
    const fleet = await start();
    await fleet.signalbox.api.createMonitor({ ...define, id: "mine" });
    await expect(fleet.signalbox.api.updateMonitor({ id: "mine", source: "1 +" })).rejects.toThrow("Failed to compile");
    await expect(fleet.signalbox.api.updateMonitor({ id: "mine", data_type: "furlongs" })).rejects.toThrow(
      "Invalid data type: furlongs",
    );
    await fleet.minute(await join(fleet), { load: [4] });
    const { monitor } = await fleet.signalbox.api.getMonitor({ id: "mine" });
    expect(monitor.revision).toBe(1);
    expect((await fleet.signalbox.api.getServer({ id: "s1" })).data).toMatchObject({ data: { monitors: { mine: 4 } } });
  });

  test("unknown monitors are named as the contract names them", async () => {
    const { signalbox } = await start();
    await expect(signalbox.api.getMonitor({ id: "no" })).rejects.toThrow("Failed to locate monitor: no");
    await expect(signalbox.api.updateMonitor({ id: "no" })).rejects.toThrow(
      "Failed to update monitor: Error: Item not found",
    );
    await expect(signalbox.api.deleteMonitor({ id: "no" })).rejects.toThrow(
      "Failed to delete monitor: Error: Item not found",
    );
  });

  test("callers limited to groups may not manage monitors", async () => {
    const { signalbox } = await start();
    await expect(signalbox.as(limitedTo("main")).createMonitor(define)).rejects.toMatchObject({
      code: "alert",
      description: "Group-limited users may not manage monitors.",
    });
  });

  test("a data type of a plugin is accepted and used to read values", async () => {
    const percent = definePlugin({
      id: "test.percent",
      dataTypes: { percent: { parse: (value) => Number.parseFloat(String(value)) / 100 } },
    });
    const fleet = await start({ plugins: [percent] });
    await fleet.signalbox.api.createMonitor({ ...define, id: "share", source: "share", data_type: "percent" });
    await fleet.minute(await join(fleet), { share: "50%" });
    expect((await fleet.signalbox.api.getServer({ id: "s1" })).data).toMatchObject({
      data: { monitors: { share: 0.5 } },
    });
  });
});
