import { anonymous } from "@signalbox/core/plugin";
import { expect, test } from "vitest";
import { type Node, outcome, tokenOf, twoNodes } from "../../test/two-nodes.ts";

const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
const seen = async ({ api }: Node): Promise<string[]> => ids((await api.getActiveServers({})).rows);

/** Two nodes with one satellite each; both satellites have sent a minute. */
async function setUp() {
  const at = await twoNodes();
  const [here, there] = [await at.one.join("s1"), await at.two.join("s2")];
  for (const node of [at.one, at.two]) await at.until(() => seen(node)).toEqual(["s1", "s2"]);
  const minute = async () => {
    await at.clock.advanceTo(Math.floor(at.clock.now() / 60) * 60 + 61);
    // When a whole minute passes at once, neither node hears the other, and old minutes stand in for missing answers.
    for (const node of [at.one, at.two]) await at.until(() => seen(node)).toEqual(["s1", "s2"]);
    for (const server of [here, there])
      server.send("monitor", { version: "1.0", date: at.clock.now(), data: { memory: { used: 5, total: 9 } } });
    const { now } = at.clock;
    const isStored = async (id: string) => {
      const found = await at.one.api.getServer({ id }).catch(() => undefined);
      return Number(Object(found?.data)["date"] ?? 0) >= now() - 30;
    };
    for (const id of ["s1", "s2"]) await at.until(() => isStored(id)).toBe(true);
  };
  return { ...at, here, there, minute };
}

test("each node lists, reads and finds the servers of both equally", async () => {
  const { one, two, minute } = await setUp();
  await minute();
  const reads: readonly [string, (node: Node) => Promise<unknown>][] = [
    ["get_active_servers", seen],
    ["get_active_server", async ({ api }) => (await api.getActiveServer({ id: "s1" })).server.hostname],
    ["get_servers", async ({ api }) => Object.keys((await api.getServers({})).servers)],
    [
      "search_servers",
      async ({ api }) => (await api.searchServers({ query: "*" })).rows.map(({ id, online }) => [id, online]),
    ],
    [
      "get_server",
      async ({ api }) => {
        const { server, data, online } = await api.getServer({ id: "s1" });
        return [server.id, server.groups, online, Object(data)["data"]];
      },
    ],
    ["get_latest_monitor_data", ({ api }) => api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 1 })],
    ["get_active_server of nobody", ({ api }) => outcome(api.getActiveServer({ id: "s9" }))],
    ["get_server of nobody", ({ api }) => outcome(api.getServer({ id: "s9" }))],
    ["get_quickmon_data of nobody", ({ api }) => outcome(api.getQuickmonData({ server: "s9" }))],
    ["create_snapshot of nobody", ({ api }) => outcome(api.createSnapshot({ server: "s9" }))],
    ["watch_server of nobody", ({ api }) => outcome(api.watchServer({ id: "s9", duration: 60 }))],
    ["delete_server of nobody", ({ api }) => outcome(api.deleteServer({ id: "s9" }))],
  ];
  for (const [name, read] of reads) expect([name, await read(two)]).toEqual([name, await read(one)]);
  expect(await seen(two)).toEqual(["s1", "s2"]);
});

test("a server that left, moved or changed elsewhere is updated at once", async () => {
  const { here, one, two, until } = await setUp();
  await one.api.updateServer({ id: "s1", title: "First" });
  await until(async () => (await two.api.getActiveServer({ id: "s1" })).server.title).toBe("First");
  here.close();
  await until(() => seen(two)).toEqual(["s2"]);
  await two.join("s1");
  await until(() => seen(one)).toEqual(["s1", "s2"]);
});

test("a server that a new group matches is updated at once, not with the next full pass", async () => {
  const { one, two } = await setUp();
  const groups = async () => (await two.api.getActiveServer({ id: "s1" })).server.groups;
  await one.api.updateServer({ id: "s1", autoGroup: true });
  await one.api.createGroup({ id: "web", title: "Web", hostname_match: "^s1" });
  // The clock stands still, so no pass comes.
  await expect.poll(groups).toEqual(["main", "web"]);
});

test("servers that connect to both nodes at the same time have a place each", async () => {
  const { one, two, until, warnings } = await twoNodes();
  const names = Array.from({ length: 20 }, (_, at) => `s${at + 10}`);
  await Promise.all(names.flatMap((id) => [one.join(id), two.join(id)]));
  const sorted = async (node: Node) => (await seen(node)).toSorted();
  for (const node of [one, two]) await until(() => sorted(node)).toEqual(names);
  expect(warnings).toEqual([]);
});

test("snapshots and watches are taken through either node", async () => {
  const { minute, one, two, until } = await setUp();
  await minute();
  const { id } = await two.api.createSnapshot({ server: "s1" });
  expect((await one.api.getSnapshot({ id })).snapshot).toMatchObject({
    server: "s1",
    groups: ["main"],
    source: "user",
  });
  await two.api.watchServer({ id: "s1", duration: 600 });
  // The server's node hears of the watch a moment later; on a busy machine, only after its next minute.
  for (let count = 0; count < 3; count++) await minute();
  await until(
    async () =>
      new Set((await one.api.searchSnapshots({ query: "source:watch", limit: 10 })).rows.map(({ server }) => server)),
  ).toEqual(new Set(["s1"]));
});

test("quick readings are requested from the node that has them, and empty when it does not answer", async () => {
  const { clock, here, one, two, until } = await setUp();
  here.send("quickmon", { cpu: { currentLoad: 7 }, mem: { used: 5, available: 3 } });
  await clock.advance(1);
  const read = async ({ api }: Node) => (await api.getQuickmonData({ server: "s1", shape: "samples" })).servers;
  const own = await read(one);
  expect(own["s1"]).toHaveLength(1);
  await until(() => read(two)).toEqual(own);
  const group = async ({ api }: Node) => (await api.getQuickmonData({ group: "main", shape: "samples" })).servers;
  expect(await group(two)).toEqual(await group(one));
  await one.stop();
  const answer = read(two);
  await clock.advance(3);
  expect(await answer).toEqual({ s1: [] });
});

test("a server whose node no longer reports it cannot be snapshot", async () => {
  const { clock, minute, one, two, until } = await setUp();
  await minute();
  // In steps small enough for the nodes to hear each other: a node that is silent for longer loses its servers.
  for (let passed = 0; passed < 100; passed += 4) {
    await clock.advance(4);
    await until(() => seen(two)).toEqual(["s1", "s2"]);
  }
  await expect(two.api.createSnapshot({ server: "s1" })).rejects.toMatchObject({
    code: "server",
    description: "Server cannot be reached right now: s1",
  });
  expect(await one.api.createSnapshot({ server: "s1" })).toMatchObject({ id: expect.any(String) });
});

test("a server that is deleted through the other node is uninstalled and deleted with its history", async () => {
  const { here, one, two, until } = await setUp();
  await two.api.deleteServer({ id: "s1", history: true });
  await until(() => here.received.some(({ cmd }) => cmd === "uninstall")).toBe(true);
  here.close();
  for (const node of [one, two]) {
    await until(() => seen(node)).toEqual(["s2"]);
    await until(() => outcome(node.api.getServer({ id: "s1" }))).toEqual({
      code: "notfound",
      description: "Failed to locate server: s1",
    });
  }
});

test("a job is launched, aborted and finished through the node that its server is not connected to", async () => {
  const { here, two, until } = await setUp();
  const event = await two.api.createEvent({
    ...{ title: "Far", plugin: "shellplug", category: "general", targets: ["s1"], algo: "random", enabled: true },
    ...{ triggers: [{ type: "manual", enabled: true }], params: { script: "true" } },
  });
  const run = async () => (await two.api.runEvent({ id: event.event.id })).id;
  const launched = () => here.received.filter(({ cmd }) => cmd === "launch_job").length;
  const first = await run();
  await until(launched).toBe(1);
  await two.api.abortJob({ id: first });
  await until(() => here.received.some(({ cmd }) => cmd === "abort_job")).toBe(true);
  here.send("jobs", { [first]: { state: "complete", complete: true, code: "abort" } });
  const second = await run();
  await until(launched).toBe(2);
  const finish = (server: string) =>
    two.execute({
      operation: "finish_job",
      input: { id: second, server, auth: tokenOf(server), job: { complete: true, code: 0 } },
      actor: anonymous,
    });
  await expect(finish("s9")).rejects.toMatchObject({ code: "auth" });
  await finish("s1");
  await until(async () => (await two.api.getJob({ id: second })).job).toMatchObject({ final: true, code: 0 });
});
