import { anonymous, localClient, type StreamResult } from "@signalbox/core/plugin";
import { describe, expect, test } from "vitest";
import { type Node, outcome, tokenOf, twoNodes } from "../../test/two-nodes.ts";

type Satellite = Awaited<ReturnType<Node["join"]>>;
type Members = Readonly<Record<string, unknown>>;

const told = ({ received }: Satellite, cmd: string): Members[] =>
  received.flatMap((message) => (message.cmd === cmd ? [message.data as Members] : []));

/** Satellite `s1` is connected to the node `one`, `s2` to the node `two`; both nodes know of both. */
async function setUp() {
  const at = await twoNodes();
  const [here, there] = [await at.one.join("s1"), await at.two.join("s2")];
  for (const { api } of [at.one, at.two])
    await at.until(async () => (await api.getActiveServers({})).rows.map(({ id }) => id)).toEqual(["s1", "s2"]);
  const minute = async (server: Satellite, data: Members) => {
    await at.clock.advanceTo(Math.floor(at.clock.now() / 60) * 60 + 61);
    server.send("monitor", { version: "1.0", date: at.clock.now(), data });
    const stored = () => outcome(at.two.api.getServer({ id: server.id }));
    await at.until(stored).toMatchObject({ answer: { data: { data } } });
  };
  return { ...at, here, there, minute };
}
type SetUp = Awaited<ReturnType<typeof setUp>>;

const eventOf = (members: Members = {}) => ({
  ...{ title: "Far", plugin: "shellplug", category: "general", targets: ["s1"], algo: "random", enabled: true },
  ...{ triggers: [{ type: "manual" as const, enabled: true }], params: { script: "true" }, ...members },
});

/** Starts a job on `s1`; resolves once its satellite has begun it. */
async function runningJob({ here, two, until }: SetUp, members: Members = {}): Promise<string> {
  const { event } = await two.api.createEvent(eventOf(members));
  const before = told(here, "launch_job").length;
  const id = String((await two.api.runEvent({ id: event.id })).id);
  await until(() => told(here, "launch_job").length).toBe(before + 1);
  return id;
}

const stream = (node: Node, operation: string, input: Members, pathSuffix = "") =>
  node.execute({
    ...{ operation, input, actor: anonymous },
    client: { ...localClient, pathSuffix, baseUrl: "https://ops.example.com", method: "GET" },
  }) as Promise<StreamResult>;
const textOf = async ({ body }: StreamResult): Promise<string> =>
  body ? Buffer.concat(await Array.fromAsync(body)).toString() : "";

describe("a running job", () => {
  test("is read equally on both nodes: lists, record, curves and output", async () => {
    const at = await setUp();
    const { clock, here, one, two, until } = at;
    const id = await runningJob(at);
    here.send("jobs", {
      [id]: {
        state: "active",
        pid: 7,
        progress: 0.5,
        procs: { 7: { pid: 7, cpu: 3, memRss: 5 } },
        cpu: { current: 3 },
      },
    });
    here.send("job_log", { id, text: "Half way\n" });
    await until(async () => (await two.api.tailLiveJobLog({ id })).text).toBe("Half way\n");
    const { token } = await one.api.getJob({ id });
    const reads: readonly [string, (node: Node) => Promise<unknown>][] = [
      ["get_active_jobs", async ({ api }) => (await api.getActiveJobs({})).rows],
      ["get_active_job_summary", ({ api }) => api.getActiveJobSummary({})],
      ["get_jobs", ({ api }) => api.getJobs({ ids: [id], verbose: true })],
      ["get_job", async ({ api }) => (await api.getJob({ id })).job],
      ["get_event", ({ api }) => api.getEvents({})],
      ["tail_live_job_log", ({ api }) => api.tailLiveJobLog({ id })],
      ["get_job_log", (node) => outcome(node.api.getJobLog({ id }))],
      ["view_job_log", async (node) => textOf(await stream(node, "view_job_log", { id, t: token }))],
      ["download_job_log", async (node) => textOf(await stream(node, "download_job_log", { id, t: token }))],
      ["delete_job", (node) => outcome(node.api.deleteJob({ id }))],
      ["manage_job_tags", (node) => outcome(node.api.manageJobTags({ id, tags: [] }))],
    ];
    // Readings reach the storage within seconds.
    await clock.advance(20);
    for (const [name, read] of reads) await until(async () => [name, await read(two)]).toEqual([name, await read(one)]);
    expect((await two.api.getJob({ id })).job).toMatchObject({ progress: 0.5 });
  });

  test("keeps changes of the other node, beside the messages of its satellite", async () => {
    const at = await setUp();
    const { here, one, two, until } = at;
    const id = await runningJob(at);
    here.send("jobs", { [id]: { state: "active", progress: 0.25 } });
    await two.api.updateJob({ id, label: "Renamed" });
    here.send("jobs", { [id]: { state: "active", progress: 0.75 } });
    for (const { api } of [one, two])
      await until(async () => (await api.getJob({ id })).job).toMatchObject({ label: "Renamed", progress: 0.75 });
  });

  test("gives its actions the facts of its server, whichever node processes its end", async () => {
    const at = await setUp();
    const { two, until } = at;
    await at.minute(at.here, { cpu: { avgLoad: 1 } });
    const id = await runningJob(at, { actions: [{ enabled: true, condition: "complete", type: "snapshot" }] });
    await two.execute({
      operation: "finish_job",
      input: { id, server: "s1", auth: tokenOf("s1"), job: { complete: true, code: 0 } },
      actor: anonymous,
    });
    await until(async () => (await two.api.getJob({ id })).job).toMatchObject({
      actions: expect.arrayContaining([
        expect.objectContaining({ code: 0, description: expect.stringMatching(/^Took snapshot .* of server s1/) }),
      ]),
    });
  });
});

describe("a trial run of a monitor plugin", () => {
  const plugin = { id: "far", title: "Far", type: "monitor" as const, command: "/bin/sh", script: "echo 5" };

  test("runs on the server through either node, with the same refusals", async () => {
    const { here, one, two, until } = await setUp();
    await one.api.createPlugin(plugin);
    await until(() => outcome(two.api.getPlugin({ id: "far" }))).toHaveProperty("answer");
    const run = async (node: Node) => {
      const before = told(here, "testMonitorPlugin").length;
      const answer = node.api.testMonitorPlugin({ id: "far", server: "s1" });
      await until(() => told(here, "testMonitorPlugin").length).toBe(before + 1);
      const { request_id } = told(here, "testMonitorPlugin").at(-1) ?? {};
      here.send("monitorPluginTestResult", { request_id, result: { open: 5 }, stderr: "a word" });
      const { request_id: _own, ...rest } = await answer;
      return rest;
    };
    expect(await run(two)).toEqual(await run(one));
    const nobody = ({ api }: Node) => outcome(api.testMonitorPlugin({ id: "far", server: "s9" }));
    expect(await nobody(two)).toEqual(await nobody(one));
  });

  test("ends by its own time, and is refused within two seconds when the node does not answer", async () => {
    const { clock, here, one, two, until } = await setUp();
    await two.api.createPlugin(plugin);
    await until(() => outcome(one.api.getPlugin({ id: "far" }))).toHaveProperty("answer");
    const mute = outcome(two.api.testMonitorPlugin({ id: "far", server: "s1" }));
    await until(() => told(here, "testMonitorPlugin").length).toBe(1);
    // In small steps: a node that is not heard for eight seconds answers no questions.
    let settled: unknown;
    void mute.then((answer) => {
      settled = answer;
    });
    await until(() => settled).toEqual({ answer: { result: "Error: Remote plugin test has timed out (10 seconds)." } });
    await one.stop();
    const gone = outcome(two.api.testMonitorPlugin({ id: "far", server: "s1" }));
    await clock.advance(2);
    expect([
      { code: "api", description: "Server not found: s1" },
      { code: "server", description: "Server cannot be reached right now: s1" },
    ]).toContainEqual(await gone);
  });
});

test("agents of all nodes are upgraded by one call, to its release from either node", async () => {
  const { blobs, here, there, one, two, until } = await setUp();
  await blobs.put(
    "satellite/v9/satellite-linux-x64.tar.gz",
    (async function* () {
      yield Buffer.from("ninth");
    })(),
  );
  const { servers } = await two.api.adminUpgradeWorkers({ targets: ["main"], release: "v9" });
  expect(servers).toEqual(["s1", "s2"]);
  for (const satellite of [here, there]) await until(() => told(satellite, "upgrade").length).toBe(1);
  const asked = { t: tokenOf("s1"), s: "s1", os: "linux", arch: "x64" };
  const fetched = async (node: Node) => textOf(await stream(node, "satellite", asked, "core"));
  for (const node of [one, two]) await until(() => fetched(node)).toBe("ninth");
  expect(await outcome(two.api.adminUpgradeWorkers({ targets: ["s9"] }))).toMatchObject({ code: "admin" });
});

test("servers that are connected to another node stay when stored ones are deleted in bulk", async () => {
  const { here, one, two, until } = await setUp();
  await two.api.bulkSearchDelete({ index: "servers", query: "*" });
  await until(async () => (await two.api.getInternalJobs({})).rows).toEqual([]);
  expect((await one.api.searchServers({ query: "*", limit: 10 })).rows.map(({ id }) => id).toSorted()).toEqual([
    "s1",
    "s2",
  ]);
  expect(here.isOpen).toBe(true);
});
