import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { type Fleet, useFleets } from "../../../../test/fleet/fleet.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import { systemActor } from "../../../kernel/calls/context.ts";
import hello from "../../../testing/fixtures/agent-hello.json" with { type: "json" };
import { serverCollection } from "../collection.ts";

const start = useFleets();
const web = { hostname: "web01", id: "s1", info: hello.info, initial: { title: "Web", groups: ["main"] } };

const stored = ({ storage }: Fleet) => storage.read((tx) => tx.collection(serverCollection).get("s1"));
const rowsOf = async ({ storage }: Fleet, action: string) =>
  (await storage.read((tx) => tx.collection(activityCollection).list())).filter((row) => row.action === action);

async function setUp() {
  const fleet = await start();
  const agent = await fleet.agent.connect(web);
  const { api } = fleet.signalbox;
  const call = (operation: string, input: object) => fleet.signalbox.execute({ operation, input, actor: systemActor });
  return { ...fleet, api, call, server: agent };
}
type At = Awaited<ReturnType<typeof setUp>>;

const goOffline = async (at: At) => {
  at.server.close();
  await at.settle();
};

describe("update_server", () => {
  test("changes memory and store, updates modified and answers the record", async () => {
    const at = await setUp();
    await at.clock.advance(5);
    const now = Math.floor(at.clock.now());
    const { server } = await at.api.updateServer({
      ...{ id: "s1", title: "Box", icon: "server", enabled: false, maxJobs: 3, rack: { row: 4 } },
    } as never);
    const members = { title: "Box", icon: "server", enabled: false, maxJobs: 3, rack: { row: 4 }, modified: now };
    expect(server).toMatchObject({ ...members, online: true, info: { cpu: {} } });
    expect((await at.api.getActiveServer({ id: "s1" })).server).toEqual(server);
    expect(await stored(at)).toMatchObject({ ...members, title: "Box" });
    expect((await stored(at))?.keywords).toMatch(/^web01,127\.0\.0\.1,main,.*,Box$/);
  });

  test("ignores groups that are sent for an automatic server, also unknown ones", async () => {
    const at = await setUp();
    const { server } = await at.api.updateServer({ id: "s1", autoGroup: true, groups: ["gone"] });
    expect(server).toMatchObject({ autoGroup: true, groups: ["main"] });
    const manual = at.api.updateServer({ id: "s1", autoGroup: false, groups: ["gone"] });
    expect((await refusalOf(manual)).description).toBe("Unknown group: gone");
  });

  test("works on a disconnected server", async () => {
    const at = await setUp();
    await goOffline(at);
    const { server } = await at.api.updateServer({ id: "s1", title: "Box" });
    expect(server).toMatchObject({ title: "Box", online: false });
    expect((await at.api.searchServers({ limit: 5 })).rows).toMatchObject([{ title: "Box", online: false }]);
    await at.agent.connect(web);
    expect((await at.api.getActiveServer({ id: "s1" })).server.title).toBe("Box");
  });

  test("facts of the machine and of its connection cannot be forged", async () => {
    const at = await setUp();
    const before = (await at.api.getActiveServer({ id: "s1" })).server;
    const forged = {
      ...{
        hostname: "evil",
        ip: "6.6.6.6",
        socket_id: "wsx",
        info: {},
        keywords: "k",
        created: 1,
        modified: 2,
        revision: before.revision,
      },
      ...{ delete: { history: true }, online: false },
    };
    await at.call("update_server", { id: "s1", ...forged });
    const { server } = await at.api.getActiveServer({ id: "s1" });
    expect(server).toEqual({ ...before, modified: server.modified, revision: 2 });
    expect(await stored(at)).not.toHaveProperty("delete");
    const [row] = await rowsOf(at, "server_update");
    expect(row?.["updates"]).toEqual({});
  });

  test("replaces userData completely", async () => {
    const at = await setUp();
    await at.api.updateServer({ id: "s1", userData: { a: 1, b: 2 } });
    await at.api.updateServer({ id: "s1", userData: { c: 3 } });
    expect((await stored(at))?.userData).toEqual({ c: 3 });
  });

  test.each([
    [1, true],
    [0, false],
    ["true", true],
    ["0", false],
  ])("enabled may be %j", async (sent, kept) => {
    const at = await setUp();
    await at.call("update_server", { id: "s1", enabled: sent });
    expect((await stored(at))?.enabled).toBe(kept);
  });

  test.each<[object, string]>([
    [{ groups: "main" }, "Malformed server parameter: groups (must be array)"],
    [{ groups: { a: 1 } }, "Malformed server parameter: groups (must be array)"],
    [{ groups: [5] }, "Malformed parameter: groups"],
    [{ groups: ["main", "nowhere"] }, "Unknown group: nowhere"],
    [{ enabled: "perhaps" }, "Malformed parameter: enabled"],
    [{ enabled: 2 }, "Malformed parameter: enabled"],
    [{ ephemeral: "perhaps" }, "Malformed parameter: ephemeral"],
    [{ autoGroup: "perhaps" }, "Malformed parameter: autoGroup"],
    [{ maxJobs: -1 }, "Malformed parameter: maxJobs"],
    [{ maxJobs: 1.5 }, "Malformed parameter: maxJobs"],
    [{ maxJobs: "many" }, "Malformed parameter: maxJobs"],
    [{ title: "<b>" }, "Malformed title parameter: Cannot contain HTML metacharacters"],
    [{ icon: "a b" }, "Malformed icon parameter: Contains illegal characters"],
    [{ userData: [] }, "Parameter is not type object: userData"],
    [{ userData: { toString: 1 } }, "Invalid parameter: toString (illegal key)"],
    [{ userData: { a: "x".repeat(262_144) } }, "Record is too large."],
    [{ id: "S1" }, "Malformed parameter: id"],
  ])("refuses %.60j", async (input, description) => {
    const at = await setUp();
    const before = await stored(at);
    expect(await refusalOf(at.call("update_server", { id: "s1", ...input }))).toEqual({ code: "api", description });
    expect(await stored(at)).toEqual(before);
  });

  test("writes a row with the members that were stored", async () => {
    const at = await setUp();
    await at.api.updateServer({ id: "s1", groups: [], rack: 4, ip: "6.6.6.6" } as never);
    expect(await rowsOf(at, "server_update")).toMatchObject([
      {
        description: "",
        server_id: "s1",
        hostname: "web01",
        updates: { rack: 4, groups: [], autoGroup: false },
        keywords: expect.arrayContaining(["s1"]),
      },
    ]);
  });

  test("emits an event with the record, without the connection and without momentary values", async () => {
    const at = await setUp();
    const updated = at.next("server.updated");
    await at.api.updateServer({ id: "s1", title: "Box" });
    const told = await updated;
    expect(told).toMatchObject({ id: "s1", title: "Box", hostname: "web01", info: expect.any(Object) });
    for (const member of ["socket_id", "online", "node", "delete"]) expect(told).not.toHaveProperty(member);
    expect(Object.isFrozen(told.info)).toBe(true);
  });

  test("keeps all of twenty concurrent changes", async () => {
    const at = await setUp();
    const members = Array.from({ length: 20 }, (_value, n) => `m${n}`);
    await Promise.all(members.map((member) => at.call("update_server", { id: "s1", [member]: 1 })));
    expect(Object.keys((await at.api.getActiveServer({ id: "s1" })).server)).toEqual(expect.arrayContaining(members));
    expect(await stored(at)).toMatchObject(Object.fromEntries(members.map((member) => [member, 1])));
  });
});

describe("update_server_data", () => {
  test("overwrites top-level members, and replaces all of them with replace", async () => {
    const at = await setUp();
    await at.api.updateServerData({ id: "s1", data: { a: 1, b: { c: 1 } } });
    expect(await at.api.updateServerData({ id: "s1", data: { b: 2 } })).toEqual({ data: { a: 1, b: 2 } });
    expect(await at.api.updateServerData({ id: "s1", data: { d: 4 }, replace: true })).toEqual({ data: { d: 4 } });
    expect((await at.api.getActiveServer({ id: "s1" })).server.userData).toEqual({ d: 4 });
  });

  test("accepts userData instead of data, and a script's 0 does not replace", async () => {
    const at = await setUp();
    await at.call("update_server_data", { id: "s1", userData: { a: 1 } });
    await at.call("update_server_data", { id: "s1", userData: { b: 1 }, replace: 0 });
    expect((await stored(at))?.userData).toEqual({ a: 1, b: 1 });
  });

  test("works on a disconnected server, and changing data does not count as contact", async () => {
    const at = await setUp();
    await goOffline(at);
    const { modified } = (await stored(at)) ?? {};
    await at.clock.advance(60);
    await at.api.updateServerData({ id: "s1", data: { a: 1 } });
    expect(await stored(at)).toMatchObject({ userData: { a: 1 }, modified });
    expect(await rowsOf(at, "server_update")).toMatchObject([{ updates: { userData: ["a"] }, server_id: "s1" }]);
  });

  test.each<[object, string]>([
    [{}, "Data parameter is not a plain object."],
    [{ data: [1] }, "Data parameter is not a plain object."],
    [{ data: "text" }, "Data parameter is not a plain object."],
    [{ data: null }, "Data parameter is not a plain object."],
    [{ data: { constructor: 1 } }, "Invalid parameter: constructor (illegal key)"],
    [{ data: { a: "é".repeat(131_072) } }, "Record is too large."],
  ])("refuses %.60j", async (input, description) => {
    const at = await setUp();
    expect(await refusalOf(at.call("update_server_data", { id: "s1", ...input }))).toEqual({
      code: "api",
      description,
    });
  });

  test("refuses data larger than 256 KiB", async () => {
    const at = await setUp();
    const half = "x".repeat(140_000);
    await at.api.updateServerData({ id: "s1", data: { a: half } });
    expect(await refusalOf(at.api.updateServerData({ id: "s1", data: { b: half } }))).toMatchObject({ code: "api" });
    expect(Object.keys((await stored(at))?.userData ?? {})).toEqual(["a"]);
  });

  test("keeps all of fifty concurrent changes", async () => {
    const at = await setUp();
    const keys = Array.from({ length: 50 }, (_value, n) => `k${n}`);
    await Promise.all(keys.map((key) => at.api.updateServerData({ id: "s1", data: { [key]: 1 } })));
    expect(Object.keys((await stored(at))?.userData ?? {})).toEqual(expect.arrayContaining(keys));
  });
});

describe.each([
  ["update_server", { title: "Box" }],
  ["update_server_data", { data: { a: 1 } }],
])("%s", (operation, input) => {
  test("checks shape, caller, privilege, server and group in this order", async () => {
    const at = await setUp();
    const call = (actor: ReturnType<typeof keyWith> | undefined, id: string) =>
      refusalOf(at.signalbox.execute({ operation, input: { id, ...input }, ...(actor ? { actor } : {}) }));
    const other = { groups: ["other"] };
    expect(await call(undefined, "S1")).toEqual({ code: "api", description: "Malformed parameter: id" });
    expect(await call(undefined, "gone")).toMatchObject({ code: "session" });
    expect(await call(keyWith([], other), "gone")).toEqual({
      code: "access",
      description: "You do not have the 'Update Servers' privilege required to perform this action.",
    });
    expect(await call(keyWith(["update_servers"], other), "gone")).toEqual({
      code: "notfound",
      description: "Failed to locate server: gone",
    });
    expect(await call(keyWith(["update_servers"], other), "s1")).toEqual({
      code: "access",
      description: "You do not have the required account privileges to access server ID s1.",
    });
  });
});
