import { describe, expect, test } from "vitest";
import { limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import { systemActor } from "../../../kernel/calls/context.ts";

const start = useFleets();

describe("multi_update_monitor", () => {
  test("changes sent members and leaves the stamps; unknown ids are skipped silently", async () => {
    const { signalbox, storage } = await start();
    const { monitor: before } = await signalbox.api.getMonitor({ id: "mem_used" });
    const items = [
      { id: "load_avg", sort_order: 7, username: "me", revision: 1, created: 1, modified: 2 },
      { id: "nope", sort_order: 1 },
      { id: "mem_used", sort_order: 6, notes: "n" },
    ];
    expect(await signalbox.api.multiUpdateMonitor({ items })).toEqual({});
    const { monitor } = await signalbox.api.getMonitor({ id: "mem_used" });
    expect(monitor).toEqual({ ...before, sort_order: 6, notes: "n" });
    const { monitor: first } = await signalbox.api.getMonitor({ id: "load_avg" });
    expect(first).toMatchObject({ sort_order: 7, revision: 1, username: "admin" });
    const rows = await storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.at(-1)).toMatchObject({
      action: "monitor_multi_update",
      description: "",
      updated: ["sort_order", "username", "revision", "created", "modified"],
    });
  });

  test.each([
    ["no items", undefined, "api", "Request missing 'items' parameter, or has zero length."],
    ["an empty list", [], "api", "Request missing 'items' parameter, or has zero length."],
    ["an item without an id", [{ sort_order: 1 }], "api", "Missing parameter: id"],
    ["a blank title", [{ id: "load_avg", title: " " }], "api", "Malformed parameter: title"],
    ["markup in a title", [{ id: "load_avg", title: "<b>" }], "api", /Cannot contain HTML metacharacters/],
    ["an unknown data type", [{ id: "load_avg", data_type: "furlongs" }], "monitor", "Invalid data type: furlongs"],
    ["an invalid data type", [{ id: "load_avg", data_type: 5 }], "monitor", "Invalid data type: 5"],
    ["a source that is no expression", [{ id: "load_avg", source: "1 +" }], "monitor", /^Failed to compile expression/],
    ["a member of another type", [{ id: "load_avg", groups: "main" }], "monitor", "Invalid value for groups"],
  ])("%s is refused and nothing changes", async (_fact, items, code, text) => {
    const { signalbox } = await start();
    const input = { items: items && [...[{ id: "mem_used", sort_order: 99 }].slice(0, items.length), ...items] };
    const call = signalbox.execute({ operation: "multi_update_monitor", input, actor: systemActor });
    const description = typeof text === "string" ? text : expect.stringMatching(text);
    await expect(call).rejects.toMatchObject({ code, description });
    expect((await signalbox.api.getMonitor({ id: "mem_used" })).monitor.sort_order).toBe(2);
  });

  test("callers limited to groups may not reorder monitors", async () => {
    const { signalbox } = await start();
    const caller = { ...limitedTo("main"), privileges: { edit_monitors: true } } as const;
    const items = [{ id: "load_avg", sort_order: 1 }];
    await expect(signalbox.as(caller).multiUpdateMonitor({ items })).rejects.toMatchObject({ code: "alert" });
  });
});

test("a data type that no plugin can add is refused before the caller is checked", async () => {
  const { signalbox } = await start();
  const input = { id: "load_avg", data_type: "no such" };
  const call = signalbox.execute({ operation: "update_monitor", input });
  await expect(call).rejects.toMatchObject({ code: "monitor", description: "Invalid data type: no such" });
});
