import { afterEach, describe, expect, test } from "vitest";
import { type ScriptedProcess, scriptedProcesses } from "../../../../test/scripted/scripted-processes.ts";
import { VERSION } from "../../../lib/process/version.ts";
import { type JobsOptions, startJobs, type TestJobs } from "../../../testing/test-jobs.ts";
import { createActionTurns } from "./action-turns.ts";

type Members = Record<string, unknown>;

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

interface SetUp {
  readonly plugin?: Members;
  readonly process?: ScriptedProcess;
  readonly options?: JobsOptions;
}

async function setUp({ plugin = {}, process = { stdout: "" }, options = {} }: SetUp = {}) {
  const processes = scriptedProcesses(() => process);
  const jobs = await startJobs({ processes: processes.runner, ...options });
  running.push(jobs);
  const { api } = jobs.signalbox;
  await api.createPlugin({ id: "page", title: "Page", type: "action", command: "/usr/bin/page --now", ...plugin });
  const server = await jobs.connect();
  return {
    ...jobs,
    ...processes,
    api,
    server,
    /** Runs a job that fails, with one action on it; returns the action's result. */
    async run(members: Members = {}) {
      const actions = [{ enabled: true, condition: "error", type: "plugin", plugin_id: "page", ...members }];
      const { id } = await api.runEvent({ id: await jobs.event({ actions }) });
      await jobs.settle();
      server.send("jobs", { [id]: { state: "complete", complete: true, code: 1, description: "No disk" } });
      await jobs.settle();
      await jobs.settle();
      const { job } = await api.getJob({ id });
      return { id, job, result: (job["actions"] as Members[])[0] };
    },
  };
}

describe("an action plugin", () => {
  test("gets one line about its job, its parameters as variables, and starts as stored", async () => {
    const at = await setUp({ plugin: { script: "page()", cwd: "/srv", uid: "deploy", gid: 7 } });
    const { id } = await at.run({ params: { level: 3, "to whom": "$XYOPS_BASE_URL/x $NOPE", list: [1] } });
    expect(at.started).toMatchObject([
      {
        ...{ command: "/usr/bin/page", args: ["--now"], cwd: "/srv", script: "page()", uid: "deploy", gid: "7" },
        env: {
          XYOPS: VERSION,
          XYOPS_BASE_URL: "http://localhost:5522",
          level: "3",
          to_whom: "http://localhost:5522/x $NOPE",
        },
      },
    ]);
    const line = String(at.started[0]?.stdin);
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(JSON.parse(line)).toMatchObject({
      ...{ xy: 1, type: "action", condition: "error", secrets: {}, base_url: "http://localhost:5522" },
      params: { level: 3, "to whom": "$XYOPS_BASE_URL/x $NOPE", list: [1] },
      job: { id, code: 1, description: "No disk" },
      event: { title: "Backup" },
      links: { job_details: `http://localhost:5522/#Job?id=${id}` },
    });
    expect(JSON.parse(line)).not.toHaveProperty("env");
  });

  test.each<[string, ScriptedProcess, Members]>([
    ["nothing", {}, { code: 0, description: "Plugin completed successfully.", details: "" }],
    ["text", { stdout: "one\n```\ntwo\n" }, { code: 0, details: "**Output:**\n\n```\none\n''\ntwo\n```" }],
    [
      "a report",
      { stdout: 'hello\n{"xy":1,"code":"busy","description":"Line is busy","details":"- a"}\n' },
      { code: "busy", description: "Line is busy", details: "- a" },
    ],
    ["a report of success", { stdout: '{"xy":1,"code":0,"description":"Paged"}' }, { code: 0, description: "Paged" }],
    ["other JSON", { stdout: '{"a":1}' }, { code: 0 }],
    ["broken JSON", { stdout: '{"xy":1,' }, { code: "plugin", description: "Plugin output is not JSON." }],
    [
      "a failing exit",
      { stdout: "x", exit: { code: 3 } },
      { code: "plugin", description: "Plugin exited with code 3." },
    ],
    [
      "a report and a failing exit",
      { stdout: '{"xy":1,"code":0,"description":"Fine"}', exit: { code: 3 } },
      { code: 0, description: "Fine" },
    ],
  ])("an action plugin that writes %s has its result", async (_what, process, expected) => {
    const at = await setUp({ process });
    expect((await at.run()).result).toMatchObject(expected);
  });

  test("keeps its locked parameters when the output of the job contains them", async () => {
    const params = [{ id: "level", type: "text", title: "Level", value: "low", locked: true }];
    const at = await setUp({ plugin: { params } });
    const { id } = await at.api.runEvent({ id: await at.event() });
    await at.settle();
    const action = { enabled: true, condition: "error", type: "plugin", plugin_id: "page", params: { level: "high" } };
    at.server.send("jobs", { [id]: { state: "complete", complete: true, code: 1, push: { actions: [action] } } });
    await at.settle();
    await at.settle();
    expect(at.started).toMatchObject([{ env: { level: "low" } }]);
    expect(JSON.parse(String(at.started[0]?.stdin)).params).toEqual({ level: "low" });
  });

  test("is killed at its time limit", async () => {
    const at = await setUp({ plugin: { timeout: 5 }, process: { exit: "never" } });
    const ended = at.next("job.completed");
    const { id } = await at.run();
    expect(at.kills).toEqual([]);
    await at.clock.advance(8);
    await ended;
    expect(at.kills).toEqual(["SIGKILL all"]);
    expect((await at.api.getJob({ id })).job["actions"]).toMatchObject([
      { code: "plugin", description: "Plugin timed out after 5 seconds." },
    ]);
  });

  test("gets its secrets, and no result shows them", async () => {
    const at = await setUp({
      process: { stdout: 'key hunter2secret\n{"xy":1,"code":0,"description":"by hunter2secret"}' },
    });
    await at.api.createSecret({
      title: "Pager",
      fields: [{ name: "PAGER_KEY", value: "hunter2secret" }],
      plugins: ["page"],
      enabled: true,
    } as never);
    const ended = at.next("job.completed");
    const { id } = await at.run();
    await ended;
    const result = (await at.api.getJob({ id })).job["actions"];
    expect(at.started[0]?.env["PAGER_KEY"]).toBe("hunter2secret");
    expect(JSON.parse(String(at.started[0]?.stdin)).secrets).toEqual({ PAGER_KEY: "hunter2secret" });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });

  test("fails with a clear message if it is missing, disabled, of another type or not allowed", async () => {
    const at = await setUp();
    await at.api.updatePlugin({ id: "page", enabled: false });
    expect((await at.run()).result).toMatchObject({ code: "plugin", description: "Plugin is disabled: page" });
    for (const plugin_id of ["gone", "shellplug"]) {
      const actions = [{ enabled: true, condition: "error", type: "plugin", plugin_id }];
      await expect(at.event({ actions })).rejects.toThrow(`Malformed action entry #1: Plugin not found: ${plugin_id}`);
    }
    const without = await startJobs();
    running.push(without);
    const config = await setUp({ options: { config: { plugins: { local_exec: false } } } });
    const forbidden = { code: "plugin", description: "Local plugin execution is disabled." };
    expect((await config.run()).result).toMatchObject(forbidden);
    expect(config.started).toEqual([]);
    await without.signalbox.api.createPlugin({ id: "page", title: "P", type: "action", command: "/bin/page" });
    const server = await without.connect();
    const actions = [{ enabled: true, condition: "success", type: "plugin", plugin_id: "page" }];
    const { id } = await without.signalbox.api.runEvent({ id: await without.event({ actions }) });
    await without.settle();
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
    await without.settle();
    expect((await without.signalbox.api.getJob({ id })).job["actions"]).toMatchObject([
      { code: "plugin", description: "Process execution is disabled" },
    ]);
  });
});

test("at most twenty action plugins run at once, and the others wait or leave", async () => {
  const { inTurn } = createActionTurns();
  const gates: (() => void)[] = [];
  const never = new AbortController().signal;
  const work = (): Promise<void> => new Promise((resolve) => void gates.push(resolve));
  const all = Array.from({ length: 21 }, () => inTurn(never, work));
  const leaving = new AbortController();
  const left = inTurn(leaving.signal, work);
  await Promise.resolve();
  expect(gates).toHaveLength(20);
  leaving.abort(new Error("Left"));
  await expect(left).rejects.toThrow("Left");
  gates[0]?.();
  await all[0];
  await Promise.resolve();
  expect(gates).toHaveLength(21);
  for (const open of gates) open();
  await Promise.all(all);
});
