import { expect, test } from "vitest";
import { cradleProbe, keyWith, refusalOf, startEngine } from "../../../../test/engine.ts";
import { type ScriptedServer, scriptedAgent } from "../../../testing/scripted-agent.ts";

const editor = keyWith(["edit_plugins"]);
const able = { features: { testMonitorPlugin: true } };

async function setUp() {
  const agent = scriptedAgent();
  const probe = cradleProbe();
  const engine = await startEngine({ agents: agent, plugins: [probe.plugin] });
  const connect = (id: string, info: object = able) =>
    agent.connect({ hostname: `${id}.example.internal`, id, info: { ...info }, initial: { groups: ["main"] } });
  return {
    ...engine,
    connect,
    transact: probe.cradle().transact,
    run: (server: string, id = "open_files") => engine.as(editor).testMonitorPlugin({ id, server }),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

async function asked(server: ScriptedServer): Promise<{ plugin_id: string; request_id: string }> {
  return (await server.message("testMonitorPlugin")).data as never;
}

test("the server is asked, and its answer is returned", async () => {
  await using at = await setUp();
  const server = await at.connect("sa");
  const answer = at.run("sa");
  const request = await asked(server);
  expect(request).toEqual({ plugin_id: "open_files", request_id: expect.stringMatching(/^[0-9a-f]{64}$/) });
  server.send("monitorPluginTestResult", { ...request, result: { open: 5 }, stderr: "note", code: 1, extra: 2 });
  expect(await answer).toEqual({ ...request, result: { open: 5 }, stderr: "note" });
});

test("a server that does not answer for ten seconds is a result too", async () => {
  await using at = await setUp();
  const server = await at.connect("sa");
  const answer = at.run("sa");
  await at.clock.advance(9.9);
  const before = await Promise.race([answer, Promise.resolve("waits")]);
  await at.clock.advance(0.2);
  expect([before, await answer]).toEqual([
    "waits",
    { result: "Error: Remote plugin test has timed out (10 seconds)." },
  ]);
  server.send("monitorPluginTestResult", { ...(await asked(server)), result: "late" });
  expect(server.isOpen).toBe(true);
});

test("another server cannot answer instead, and invalid answers are ignored", async () => {
  await using at = await setUp();
  const [server, other] = [await at.connect("sa"), await at.connect("sb")];
  const answer = at.run("sa");
  const request = await asked(server);
  other.send("monitorPluginTestResult", { ...request, result: "forged" });
  for (const data of [null, 5, [], {}, { request_id: 5 }, { request_id: "unknown", result: "x" }])
    server.send("monitorPluginTestResult", data);
  server.send("monitorPluginTestResult", { ...request, result: "own" });
  server.send("monitorPluginTestResult", { ...request, result: "second" });
  expect(await answer).toEqual({ ...request, result: "own" });
});

test.each<[string, object, string]>([
  ["an unknown plugin", { id: "nope", server: "sa" }, "Monitor Plugin not found: nope"],
  ["a plugin of another type", { id: "shellplug", server: "sa" }, "Monitor Plugin not found: shellplug"],
  ["an unknown server", { id: "open_files", server: "Nope" }, "Server not found: Nope"],
  ["no server", { id: "open_files" }, "Missing parameter: server"],
  ["a malformed server", { id: "open_files", server: "a b" }, "Malformed parameter: server"],
  [
    "a server that cannot test",
    { id: "open_files", server: "old" },
    "Server does not support testing monitor plugins (please upgrade the satellite)",
  ],
])("%s is refused", async (_what, input, description) => {
  await using at = await setUp();
  await at.connect("sa");
  await at.connect("old", { features: {} });
  expect(await refusalOf(at.as(editor).testMonitorPlugin(input as never))).toEqual({ code: "api", description });
});

test("callers limited to other groups have no access to the server", async () => {
  await using at = await setUp();
  const server = await at.connect("sa");
  const limited = at.as(keyWith(["edit_plugins"], { groups: ["other"] }));
  expect(await refusalOf(limited.testMonitorPlugin({ id: "open_files", server: "sa" }))).toEqual({
    code: "access",
    description: "You do not have the required account privileges to access targets: main.",
  });
  expect(server.received.map(({ cmd }) => cmd)).not.toContain("testMonitorPlugin");
});

test("a hundred runs may be open, and an ended one makes room", async () => {
  await using at = await setUp();
  const server = await at.connect("sa");
  const open = Array.from({ length: 100 }, () => at.run("sa"));
  await at.clock.advance(0);
  expect(await refusalOf(at.run("sa"))).toEqual({ code: "rate", description: "Too many plugin tests are running." });
  await at.clock.advance(10);
  await Promise.all(open);
  const answer = at.run("sa");
  await at.clock.advance(0);
  const request = server.received.findLast(({ cmd }) => cmd === "testMonitorPlugin")?.data as object;
  server.send("monitorPluginTestResult", { ...request, result: 1 });
  expect((await answer).result).toBe(1);
});

test("a run ends when the engine stops or the caller leaves", async () => {
  const at = await setUp();
  await at.connect("sa");
  const leaving = new AbortController();
  const left = at.execute({
    operation: "test_monitor_plugin",
    actor: editor,
    input: { id: "open_files", server: "sa" },
    signal: leaving.signal,
  });
  const stopped = at.run("sa");
  await at.clock.advance(0);
  leaving.abort();
  expect(await left).toEqual({ result: "Error: The caller has left." });
  await at.stop();
  expect(await stopped).toEqual({ result: "Error: Conductor is shutting down." });
});
