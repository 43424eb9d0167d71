import { expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import minute from "../../testing/fixtures/agent-monitor.json" with { type: "json" };

const start = useFleets();

/** Three servers: "smine" of the caller's group, "sother" of another one, "slone" without any group. */
async function setUp() {
  const fleet = await start();
  const { api } = fleet.signalbox;
  await api.deleteGroup({ id: "main" });
  for (const id of ["mine", "other"]) await api.createGroup({ id, title: id, hostname_match: `^${id}` });
  await api.createAlert({ id: "hot", title: "Hot", expression: "1", message: "m" });
  for (const name of ["mine", "other", "lone"]) {
    const info = { os: { platform: name, distro: `${name}ux` } };
    const server = await fleet.agent.connect({ hostname: name, id: `s${name}`, info, initial: { title: name } });
    await fleet.minute(server, minute.data);
    server.send("quickmon", { date: fleet.clock.now(), cpu: 1 });
    await api.createSnapshot({ server: `s${name}` });
  }
  await fleet.settle();
  return { ...fleet, api, limited: fleet.signalbox.as(keyWith(["update_servers"], { groups: ["mine"] })) };
}
type At = Awaited<ReturnType<typeof setUp>>;
type Api = At["api"] | At["limited"];

const LISTS: Readonly<Record<string, (api: Api) => Promise<unknown>>> = {
  get_active_servers: (api) => api.getActiveServers(),
  get_servers: (api) => api.getServers(),
  get_server_summaries: (api) => api.getServerSummaries(),
  search_servers: (api) => api.searchServers({ limit: 100 }),
  "search_servers with a query that asks for others": (api) =>
    api.searchServers({ query: "groups:other|mine", limit: 100 }),
  "search_servers by id": (api) => api.searchServers({ query: "#id:smine|sother|slone", limit: 100 }),
  get_quickmon_data: (api) => api.getQuickmonData({}),
  search_alerts: (api) => api.searchAlerts({ limit: 100 }),
  search_snapshots: (api) => api.searchSnapshots({ limit: 100, verbose: true } as never),
};

test.each(Object.keys(LISTS))("%s shows limited callers only their own servers", async (name) => {
  const at = await setUp();
  const list = LISTS[name] as (api: Api) => Promise<unknown>;
  const seen = JSON.stringify(await list(at.limited));
  const all = JSON.stringify(await list(at.api));
  expect(all).toMatch(/other/);
  expect(seen).toMatch(/mine/);
  expect(seen).not.toMatch(/other|lone/);
});

test("totals count visible servers only", async () => {
  const at = await setUp();
  expect((await at.api.searchServers({})).list.length).toBe(3);
  expect((await at.limited.searchServers({})).list.length).toBe(1);
  const { summaries } = await at.limited.getServerSummaries();
  expect(summaries["os_platform"]).toMatchObject({ values: { mine: 1 }, labels: { mine: "mine" } });
});

test("no sort order, page or negation shows the others", async () => {
  const at = await setUp();
  for (const query of [
    "*",
    "-groups:mine",
    "groups:mine|other",
    '(groups == "mine" || groups == "other")',
    "keywords:lone",
    "other",
    '"lone"',
  ])
    for (const sort_by of ["_id", "hostname", "ip", "date"])
      for (const offset of [0, 1]) {
        const { rows } = await at.limited.searchServers({ query, sort_by, offset, limit: 100, sort_dir: 1 });
        expect(rows.map(({ id }) => id).filter((id) => id !== "smine")).toEqual([]);
      }
});

test.each(["sother", "slone"])("%s is refused one by one", async (id) => {
  const at = await setUp();
  const { limited } = at;
  const group = id === "sother" ? "other" : "slone";
  const targets = `You do not have the required account privileges to access targets: ${group}.`;
  const server = `You do not have the required account privileges to access server ID ${id}.`;
  const calls: [Promise<unknown>, string][] = [
    [limited.getServer({ id }), targets],
    [limited.getActiveServer({ id }), targets],
    [limited.updateServer({ id, title: "Mine" }), server],
    [limited.updateServer({ id, groups: ["mine"] }), server],
    [limited.updateServerData({ id, data: {} }), server],
    [limited.getLatestMonitorData({ server: id, sys: "hourly", limit: 1 } as never), server],
    [limited.getHistoricalMonitorData({ server: id, sys: "hourly", date: 1, limit: 1 } as never), server],
    [limited.getQuickmonData({ server: id }), server],
  ];
  for (const [call, description] of calls) expect(await refusalOf(call)).toEqual({ code: "access", description });
});

test("a server that leaves the caller's groups disappears from its lists at once", async () => {
  const at = await setUp();
  await at.api.updateServer({ id: "smine", groups: ["other"] });
  expect((await at.limited.getActiveServers()).rows).toEqual([]);
  expect((await at.limited.searchServers({})).list.length).toBe(0);
  expect(Object.values((await at.limited.getServerSummaries()).summaries)).toEqual(Array(7).fill({}));
});

test("administrators with groups of their own see everything", async () => {
  const at = await setUp();
  const boss = at.signalbox.as(keyWith(["admin"], { groups: ["mine"] }));
  expect((await boss.getActiveServers()).rows).toHaveLength(3);
  expect((await boss.searchServers({})).list.length).toBe(3);
});

test("the connection is shown to administrators alone", async () => {
  const at = await setUp();
  const id = "smine";
  const plain = at.signalbox.as(keyWith(["update_servers"]));
  const read = async (api: Api) => [
    (await api.getServer({ id })).server,
    (await api.getActiveServer({ id })).server,
    ...(await api.getActiveServers()).rows,
    ...(await api.searchServers({ limit: 9 })).rows,
    ...Object.values((await api.getServers()).servers),
    (await api.updateServer({ id, title: "T" })).server,
  ];
  for (const server of await read(plain)) expect(server).not.toHaveProperty("socket_id");
  for (const server of await read(at.api)) expect(server.socket_id).toMatch(/\w/);
});
