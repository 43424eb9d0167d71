import { expect, test } from "vitest";
import { keyWith, recordingLogger, refusalOf, START, startEngine } from "../../../../test/engine.ts";
import { type ScriptedProcess, scriptedProcesses } from "../../../../test/scripted/scripted-processes.ts";
import { jobRecords } from "../../../../test/work/job-records.ts";
import type { SignalboxOptions } from "../../../engine/signalbox-options.ts";
import { VERSION } from "../../../lib/process/version.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";

const editor = keyWith(["edit_plugins"]);
const YES = '{"xy":1,"items":[true]}';
const locked = { id: "mode", type: "text", title: "Mode", value: "safe", locked: true };

interface SetUp {
  readonly plugin?: object;
  readonly process?: ScriptedProcess;
  readonly options?: Partial<Omit<SignalboxOptions<readonly []>, "clock">>;
}

async function setUp({ plugin = {}, process = { stdout: YES }, options = {} }: SetUp = {}) {
  const clock = fakeClock(START);
  const storage = memoryStorage({ clock });
  const processes = scriptedProcesses(() => process);
  const log = recordingLogger();
  const engine = await startEngine({ clock, storage, log, processes: processes.runner, ...options });
  const command = "/usr/bin/decide '--as one'";
  await engine.api.createPlugin({ id: "due", title: "Due", type: "scheduler", command, ...plugin });
  return {
    ...engine,
    ...processes,
    log,
    storage,
    jobs: jobRecords(storage),
    run: (input: object = {}, who = editor) => engine.as(who).testSchedulerPlugin({ id: "due", ...input }),
    input: () => JSON.parse(processes.started.at(-1)?.stdin ?? ""),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

test("the stored plugin runs, and its output is returned", async () => {
  await using at = await setUp({ plugin: { script: "decide()", cwd: "/srv", uid: "deploy", gid: 7 } });
  const answer = await at.run({ params: { a: 1 }, timezone: "Europe/Berlin", epoch: START + 100 });
  expect(answer).toEqual({
    data: { xy: 1, items: [true] },
    stdout: YES,
    stderr: "",
    child_cmd: "/usr/bin/decide '--as one'",
  });
  expect(at.started).toEqual([
    {
      ...{ command: "/usr/bin/decide", args: ["--as one"], cwd: "/srv", script: "decide()", uid: "deploy", gid: "7" },
      env: { XYOPS: VERSION, XYOPS_BASE_URL: "http://localhost:5522" },
      stdin: expect.stringMatching(/^\{.*\}\n$/),
    },
  ]);
  expect(at.input()).toEqual({
    ...{ xy: 1, type: "trigger", secrets: {}, base_url: "http://localhost:5522", active_jobs: [] },
    items: [
      {
        ...{ type: "plugin", enabled: true, plugin_id: "due", params: { a: 1 }, timezone: "Europe/Berlin" },
        dargs: { year: 2027, month: 1, day: 15, rday: -17, weekday: 5, hour: 9, minute: 1 },
        now: START + 60,
        job: { id: "1234567890", label: "Test" },
      },
    ],
  });
});

test("without zone and minute the present one is used, in the configured zone", async () => {
  await using at = await setUp();
  await at.clock.advance(90);
  await at.run();
  expect(at.input().items[0]).toMatchObject({ timezone: "UTC", now: START + 60, dargs: { hour: 8, minute: 1 } });
});

test("the configured user and group are used if the plugin has none", async () => {
  const credentials = { default_plugin_credentials: { scheduler: { uid: "nobody", gid: 99 } } };
  await using at = await setUp({ options: { config: credentials } });
  await at.run();
  expect(at.started[0]).toMatchObject({ uid: "nobody", gid: "99" });
});

test("locked parameters keep their default for callers who are not administrators", async () => {
  await using at = await setUp({ plugin: { params: [locked] } });
  await at.run({ params: { mode: "wild", free: 1 } });
  expect(at.input().items[0].params).toEqual({ mode: "safe", free: 1 });
  await at.run({ params: { mode: "wild" } }, keyWith(["admin"]));
  expect(at.input().items[0].params).toEqual({ mode: "wild" });
  await at.run({}, keyWith(["admin"]));
  expect(at.input().items[0].params).toEqual({ mode: "safe" });
});

test("the plugin reads the active jobs that the caller may see, except queued ones", async () => {
  await using at = await setUp();
  await at.api.createCategory({ id: "alpha", title: "Alpha" });
  await at.jobs.active("j1", { category: "alpha", targets: ["main"] });
  await at.jobs.active("j2", { category: "general", targets: ["main"] });
  await at.jobs.active("j3", { category: "alpha", targets: ["main"], state: "queued" });
  const seen = async (who = editor): Promise<string[]> => {
    await at.run({}, who);
    return at.input().active_jobs.map(({ id }: { id: string }) => id);
  };
  expect((await seen()).sort()).toEqual(["j1", "j2"]);
  expect(await seen(keyWith(["edit_plugins"], { categories: ["alpha"] }))).toEqual(["j1"]);
  expect(await seen(keyWith(["edit_plugins"], { groups: ["other"] }))).toEqual([]);
});

test("secrets of the plugin are given to the process, and no one else", async () => {
  const stdout = '{"note":"tok3n-value"}\n{"xy":1,"items":[{"launch":true,"data":{"tok3n-value":424242}}]}';
  await using at = await setUp({ process: { stdout, stderr: "using tok3n-value" } });
  const fields = [
    { name: "TOKEN", value: "tok3n-value" },
    { name: "PIN", value: "424242" },
  ];
  await at.api.createSecret({ id: "z1", title: "Z", fields, plugins: ["due"], mask: false });
  const answer = await at.run();
  expect(at.started[0]?.env).toMatchObject({ TOKEN: "tok3n-value", PIN: "424242" });
  expect(at.input().secrets).toEqual({ TOKEN: "tok3n-value", PIN: "424242" });
  expect(answer).toMatchObject({
    data: { xy: 1, items: [{ launch: true, data: { "****": "****" } }] },
    stderr: "using ****",
  });
  expect(JSON.stringify([answer, at.log.lines])).not.toMatch(/tok3n-value|424242/);
});

const failure = (description: string, members: object = {}) => ({
  ...{ data: null, stdout: "", stderr: "", child_cmd: "/usr/bin/decide '--as one'" },
  ...members,
  err: true,
  description: `Scheduler Plugin ${description}`,
});

test.each<[string, ScriptedProcess, object]>([
  [
    "exit code",
    { stdout: YES, stderr: "no", exit: { code: 3 } },
    failure("exited with code 3.", { data: { xy: 1, items: [true] }, stdout: YES, stderr: "no" }),
  ],
  ["signal", { exit: { code: null, signal: "SIGSEGV" } }, failure("was ended by SIGSEGV.")],
  ["text", { stdout: "hello" }, failure("output is not JSON.", { stdout: "hello" })],
  [
    "list of another length",
    { stdout: '{"xy":1,"items":[true,true]}' },
    failure("output has 2 items where 1 are expected.", {
      stdout: '{"xy":1,"items":[true,true]}',
      data: { xy: 1, items: [true, true] },
    }),
  ],
])("an invalid %s is a failure of the plugin", async (_what, process, answer) => {
  await using at = await setUp({ process });
  expect(await at.run()).toEqual(answer);
  expect(at.kills).toEqual([]);
});

test("a process that takes too long is killed with its group", async () => {
  await using at = await setUp({ plugin: { timeout: 7 }, process: { stdout: "begun", exit: "never" } });
  const answer = at.run();
  await at.clock.advance(6.9);
  expect(at.kills).toEqual([]);
  await at.clock.advance(0.2);
  expect(await answer).toEqual(failure("timed out after 7 seconds.", { stdout: "begun" }));
  expect(at.kills).toEqual(["SIGKILL all"]);
});

test("the time limit of a plugin without one is thirty seconds", async () => {
  await using at = await setUp({ plugin: { timeout: undefined }, process: { exit: "never" } });
  const answer = at.run();
  await at.clock.advance(31);
  expect((await answer).description).toBe("Scheduler Plugin timed out after 30 seconds.");
});

test("a process that writes too much is killed with its group", async () => {
  await using at = await setUp({ process: { stdout: new Uint8Array(1_048_577).fill(97), exit: "never" } });
  const { stdout, ...answer } = await at.run();
  expect(stdout).toHaveLength(1_048_576);
  expect(answer).toMatchObject({ err: true, description: "Scheduler Plugin wrote more than 1048576 bytes." });
  expect(at.kills).toEqual(["SIGKILL all"]);
});

test("the process is killed when the caller leaves, and when the engine stops", async () => {
  await using at = await setUp({ process: { exit: "never" } });
  const leaving = new AbortController();
  const call = { operation: "test_scheduler_plugin", actor: editor, input: { id: "due" }, signal: leaving.signal };
  const [left, stopped] = [at.execute(call), at.run()];
  await at.clock.advance(0);
  leaving.abort();
  expect(await left).toMatchObject({ description: "Scheduler Plugin was ended before it was done." });
  expect(at.kills).toHaveLength(1);
  await at.stop();
  expect(await stopped).toMatchObject({ description: "Scheduler Plugin was ended before it was done." });
  expect(at.kills).toHaveLength(2);
});

test("a process that cannot be started is a failure, and so is an unclosed quote", async () => {
  const start = async (): Promise<never> => {
    throw new Error("spawn /usr/bin/decide ENOENT");
  };
  await using at = await setUp({ options: { processes: { start } } });
  expect(await at.run()).toEqual(failure("could not be started: spawn /usr/bin/decide ENOENT"));
  await at.api.updatePlugin({ id: "due", command: "a 'b" });
  expect(await at.run()).toMatchObject({ err: true, child_cmd: "a 'b" });
});

test.each<[object, string]>([
  [{ id: "nope" }, "Scheduler Plugin not found: nope"],
  [{ id: "shellplug" }, "Scheduler Plugin not found: shellplug"],
  [{ timezone: "Mars/Base" }, "Malformed parameter: timezone"],
  [{ params: [] }, "Parameter is not type object: params"],
  [{ epoch: 1e300 }, "Malformed parameter: epoch"],
  [{ epoch: -1 }, "Malformed parameter: epoch"],
])("refuses %j", async (input, description) => {
  await using at = await setUp();
  expect(await refusalOf(at.run(input))).toEqual({ code: "api", description });
  expect(at.started).toEqual([]);
});

const disabled = { code: "plugin", description: "Local plugin execution is disabled." };

test("the configuration can forbid it, and so does a host without processes", async () => {
  await using at = await setUp({ options: { config: { plugins: { local_exec: false } } } });
  expect(await refusalOf(at.run())).toEqual(disabled);
  expect(at.started).toEqual([]);
  await using engine = await startEngine();
  await engine.api.createPlugin({ id: "due", title: "Due", type: "scheduler", command: "true" });
  expect(await refusalOf(engine.as(editor).testSchedulerPlugin({ id: "due" }))).toEqual(disabled);
});

test("ten runs may be open at a time, and an ended one makes room", async () => {
  await using at = await setUp({ process: { exit: "never" } });
  const open = Array.from({ length: 10 }, () => at.run());
  await at.clock.advance(0);
  expect(await refusalOf(at.run())).toEqual({ code: "rate", description: "Too many plugin tests are running." });
  await at.clock.advance(30);
  await Promise.all(open);
  const next = at.run();
  await at.clock.advance(30);
  expect((await next).err).toBe(true);
});

test.each([
  ["test_scheduler_plugin", { id: "due" }],
  ["test_monitor_plugin", { id: "open_files", server: "sa" }],
])("%s is refused inside a transaction of the host, because it would hold its locks", async (operation, input) => {
  await using at = await setUp();
  const transaction = { read: at.storage.read, write: at.storage.write };
  expect(await refusalOf(at.execute({ operation, input, actor: editor, transaction }))).toEqual({
    code: "plugin",
    description: "A plugin cannot be tested inside a transaction of the host.",
  });
  expect(at.started).toEqual([]);
});
