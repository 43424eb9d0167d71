import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/engine.ts";
import { limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import hello from "../../../testing/fixtures/agent-hello.json" with { type: "json" };
import minute from "../../../testing/fixtures/agent-monitor.json" with { type: "json" };

const start = useFleets();
const web = { hostname: "Web01.example.internal" };

test("a connected server without a minute has empty data", async () => {
  const fleet = await start();
  await fleet.agent.connect({ ...web, id: "s1" });
  expect((await fleet.signalbox.api.getServer({ id: "s1" })).data).toEqual({});
});

test("a server is read with the last minute and the short names of its parts", async () => {
  const fleet = await start();
  const server = await fleet.agent.connect({ ...web, id: "s1" });
  await fleet.minute(server, minute.data);
  const { data } = await fleet.signalbox.api.getServer({ id: "s1" });
  expect(data).toMatchObject({
    version: "1.0",
    server: "s1",
    groups: ["main"],
    cpu: { cores: 2 },
    mem: { total: 25276502016 },
    disk: { root: { use: 32.21 } },
    net: { conns: 5 },
    data: { monitors: { load_avg: 3.95, open_files: 1232 }, missing: [] },
  });
  expect(data).not.toHaveProperty("id");
});

test("unknown servers are not found", async () => {
  const fleet = await start();
  await expect(fleet.signalbox.api.getServer({ id: "nope" })).rejects.toMatchObject({
    code: "notfound",
    description: "Failed to locate server: nope",
  });
});

test("callers limited to other groups see no servers", async () => {
  const fleet = await start();
  await fleet.agent.connect({ ...web, id: "s1" });
  const db = fleet.signalbox.as(limitedTo("db"));
  expect((await db.getActiveServers()).rows).toEqual([]);
  const refused = {
    code: "access",
    description: "You do not have the required account privileges to access targets: main.",
  };
  await expect(db.getServer({ id: "s1" })).rejects.toMatchObject(refused);
  await expect(db.getActiveServer({ id: "s1" })).rejects.toMatchObject(refused);
  expect((await fleet.signalbox.as(limitedTo("main")).getActiveServers()).rows).toHaveLength(1);
});

test("names of servers are shown without facts of their machines, to callers who may see the servers", async () => {
  const fleet = await start();
  await fleet.agent.connect({ ...web, id: "s1", info: { os: { distro: "Ubuntu" } }, initial: { title: "Shop" } });
  await fleet.agent.connect({ hostname: "router", id: "s2" });
  await fleet.signalbox.api.updateServer({ id: "s1", depends_on: ["s2"] });
  const names = async (api: typeof fleet.signalbox.api) => api.getActiveServers({ shape: "names" });
  const name = { id: "s1", hostname: "web01.example.internal", title: "Shop", groups: ["main"], enabled: true };
  expect(await names(fleet.signalbox.api)).toEqual({
    rows: [],
    list: { length: 2 },
    names: [
      { ...name, depends_on: ["s2"] },
      { id: "s2", hostname: "router", groups: ["main"], enabled: true },
    ],
  });
  expect(await names(fleet.signalbox.as(limitedTo("db")))).toEqual({ rows: [], list: { length: 0 }, names: [] });
  expect(await refusalOf(fleet.signalbox.api.getActiveServers({ shape: "short" } as never))).toMatchObject({
    code: "api",
  });
});

test("the fresh store has the main group, and limited callers see their own groups only", async () => {
  const fleet = await start();
  expect((await fleet.signalbox.api.getGroups()).rows).toMatchObject([
    { id: "main", title: "Main Group", hostname_match: ".+", sort_order: 0, username: "admin" },
  ]);
  const db = fleet.signalbox.as(limitedTo("db"));
  expect((await db.getGroups()).rows).toEqual([]);
  await expect(db.getGroup({ id: "main" })).rejects.toMatchObject({
    description: "You do not have the required account privileges to access group ID main.",
  });
  await expect(fleet.signalbox.api.getGroup({ id: "nope" })).rejects.toThrow("Failed to locate group: nope");
});

test("a server that disconnected without ever reporting has no data", async () => {
  const fleet = await start();
  (await fleet.agent.connect({ ...web, id: "s1" })).close();
  await fleet.settle();
  expect(await refusalOf(fleet.signalbox.api.getServer({ id: "s1" }))).toEqual({
    code: "notfound",
    description: "Failed to load server data: Error: Item not found",
  });
});

test("get_servers gives the connected servers by id, and the nodes by name", async () => {
  const fleet = await start();
  await fleet.agent.connect({ ...web, id: "s1" });
  (await fleet.agent.connect({ ...web, id: "s2" })).close();
  await fleet.settle();
  const { servers, masters } = await fleet.signalbox.api.getServers();
  expect(Object.keys(servers)).toEqual(["s1"]);
  expect(servers["s1"]).toMatchObject({ id: "s1", online: true });
  const [[id, master] = []] = Object.entries(masters);
  expect([id, master?.node]).toEqual(["localhost", fleet.storage.coordination.nodeId]);
  expect(master).toMatchObject({ id, online: true, master: true, version: expect.stringMatching(/^\d/) });
});

describe("get_server_summaries", () => {
  test("counts words, with the texts of the facts", async () => {
    const fleet = await start();
    const { os } = hello.info;
    const two = { ...hello.info, os: { ...os, distro: "DEBIAN gnu/linux" } };
    await fleet.agent.connect({ ...web, id: "s1", info: hello.info });
    (await fleet.agent.connect({ hostname: "db", id: "s2", info: two })).close();
    await fleet.agent.connect({ hostname: "bare", id: "s3" });
    await fleet.settle();
    const { summaries } = await fleet.signalbox.api.getServerSummaries();
    expect(Object.keys(summaries).toSorted()).toEqual(
      ["os_platform", "os_distro", "os_release", "os_arch", "cpu_virt", "cpu_brand", "cpu_cores"].toSorted(),
    );
    expect(summaries["os_distro"]).toMatchObject({
      id: "os_distro",
      values: { debian_gnu_linux: 2 },
      labels: { debian_gnu_linux: "DEBIAN gnu/linux" },
    });
    expect(summaries["cpu_cores"]?.values).toEqual({ 2: 2 });
    expect(summaries["os_release"]?.modified).toBeGreaterThan(0);
  });

  test("names every fact, empty where no server has sent it", async () => {
    const fleet = await start();
    const none = {
      os_platform: {},
      os_distro: {},
      os_release: {},
      os_arch: {},
      cpu_virt: {},
      cpu_brand: {},
      cpu_cores: {},
    };
    expect(await fleet.signalbox.api.getServerSummaries()).toEqual({ summaries: none });
    await fleet.agent.connect({ hostname: "h", info: { os: { platform: "Linux" } } });
    const { summaries } = await fleet.signalbox.api.getServerSummaries();
    expect(summaries).toEqual({
      ...none,
      os_platform: expect.objectContaining({ values: { linux: 1 } }),
      cpu_brand: expect.anything(),
    });
  });

  test("words named like inherited members of objects are counted", async () => {
    const fleet = await start();
    for (const platform of ["constructor", "__proto__", "toString"])
      await fleet.agent.connect({ hostname: "h", info: { os: { platform } } });
    const { summaries } = await fleet.signalbox.api.getServerSummaries();
    expect(Object.entries(summaries["os_platform"]?.values ?? {})).toEqual([["tostring", 1]]);
  });
});

describe("search_servers", () => {
  async function search() {
    // Ten seconds before the hour.
    const fleet = await start({ clock: fakeClock(1_800_003_590), config: { tz: "UTC" } });
    const { api } = fleet.signalbox;
    await api.createGroup({ id: "db", title: "Db", hostname_match: "^db" });
    const info = hello.info;
    await fleet.agent.connect({ hostname: "web01.example.internal", id: "sa", info, initial: { title: "Shop Front" } });
    await fleet.clock.advance(2);
    const arm = { ...info, os: { ...info.os, release: "22.04", arch: "arm64" }, cpu: { ...info.cpu, cores: 8 } };
    await fleet.agent.connect({ hostname: "db01", id: "sb", info: arm, ip: "10.0.0.7" });
    await fleet.agent.connect({ hostname: "mail", id: "sc", initial: { groups: ["main"] } });
    const ids = async (query: string, more = {}): Promise<string[]> =>
      (await api.searchServers({ query, limit: 100, sort_dir: 1, ...more })).rows.map(({ id }) => id);
    return { ...fleet, ids };
  }

  test.each([
    ["*", ["sa", "sb", "sc"]],
    ["shop", ["sa"]],
    ["web01", ["sa"]],
    ["10.0.0.7", ["sb"]],
    ["unknown", ["sa", "sb", "sc"]],
    ["groups:db", ["sb"]],
    ["groups:main", ["sa", "sb", "sc"]],
    ["autoGroup:false", ["sc"]],
    ["os_release:22_04", ["sb"]],
    ["os_release:22.04", ["sb"]],
    ["os_arch:x64", ["sa"]],
    ["os_platform:linux", ["sa", "sb"]],
    ["os_distro:debian_gnu_linux", ["sa", "sb"]],
    ["cpu_cores:8", ["sb"]],
    ["cpu_brand:intel_xeon_processor", ["sa", "sb"]],
    ["groups:main -os_platform:linux", ["sc"]],
    ["nothing", []],
  ])("%s finds %j", async (query, expected) => {
    const at = await search();
    expect(await at.ids(query)).toEqual(expected);
  });

  test.each([
    [{ sort_by: "hostname" }, ["sb", "sc", "sa"]],
    [{ sort_by: "ip" }, ["sb", "sa", "sc"]],
    [{ sort_by: "date" }, ["sa", "sb", "sc"]],
    [{ sort_dir: -1 }, ["sc", "sb", "sa"]],
    [{ limit: 1, offset: 1 }, ["sb"]],
  ])("%j orders them", async (more, expected) => {
    const at = await search();
    expect(await at.ids("*", more)).toEqual(expected);
  });

  test("the last contact is when a server disconnected", async () => {
    const at = await search();
    await at.clock.advance(10);
    const hour = Math.floor(at.clock.now() / 3600) * 3600;
    expect(await at.ids(`modified:>=${hour}`)).toEqual([]);
    await at.agent.connect({ hostname: "late", id: "sd" }).then((server) => server.close());
    await at.settle();
    expect(await at.ids(`modified:>=${hour}`)).toEqual(["sd"]);
  });

  test("one row is the default, and the total counts all", async () => {
    const at = await search();
    const { rows, list } = await at.signalbox.api.searchServers({});
    expect([rows.length, list.length]).toEqual([1, 3]);
  });

  test("a query that cannot be parsed is refused", async () => {
    const at = await search();
    expect(await refusalOf(at.ids("(nofield == 1)"))).toMatchObject({
      code: "db",
      description: expect.stringMatching(/^Failed DB search: /),
    });
  });
});
