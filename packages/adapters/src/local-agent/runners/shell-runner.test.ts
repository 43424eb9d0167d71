import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { start, tempDir, useShellAgent } from "../../../test/agents/shell-agent.ts";

useShellAgent();

test("a script that ends with 0 succeeds, and its output is the log", async () => {
  const conductor = await start();
  conductor.launchScript("#!/bin/sh\necho one\necho two 1>&2\n");
  expect(await conductor.finished()).toMatchObject({
    state: "complete",
    complete: true,
    code: 0,
    description: "",
    progress: 1,
    files: [],
  });
  expect(conductor.logOf().split("\n").sort()).toEqual(["", "one", "two"]);
});

test("a script that fails reports its code, its last error line and the error output", async () => {
  const conductor = await start();
  conductor.launchScript("#!/bin/sh\necho checking\necho '<broken>' 1>&2\nexit 3\n");
  expect(await conductor.finished()).toMatchObject({
    code: 3,
    description: "Script exited with code: 3: <broken>",
    html: { title: "Error Output", content: "<pre>&lt;broken&gt;</pre>" },
  });
  const meta = conductor.metaOf();
  expect(meta[0]).toMatch(/^Spawned child process: PID \d+$/);
  expect(meta.slice(1)).toEqual(["Child exited with code: 3", "Job is finishing"]);
});

test("the messages of a job come in the order of a satellite's", async () => {
  const conductor = await start();
  conductor.launchScript("echo hello");
  await conductor.finished();
  const kinds = conductor.messages
    .filter(({ cmd }) => cmd.startsWith("job"))
    .map(({ cmd, data }) => (cmd === "jobs" ? `jobs ${(data["j1"] as { state: string }).state}` : cmd));
  expect(kinds).toEqual(["job_meta", "job_log", "job_meta", "job_meta", "jobs finishing", "jobs complete"]);
});

test("updates change progress and status at once, and end the job with their code", async () => {
  const conductor = await start();
  conductor.launchScript(`
    echo '{ "xy": 1, "progress": 0.25, "status": "Dumping tables" }'
    read line; read end
    echo '{ "xy": 1, "code": 0, "description": "Backup finished" }'
    echo '{ "xy": 1, "code": 5, "description": "too late" }'
    exit 9`);
  await conductor.untilJob((job) => job["progress"] === 0.25 && job["status"] === "Dumping tables");
  expect(await conductor.finished()).toMatchObject({
    code: 0,
    description: "Backup finished",
    status: "Dumping tables",
  });
  expect(conductor.logOf()).toBe("");
});

test("pushed tags are in exactly one message", async () => {
  const conductor = await start();
  conductor.launchScript(`
    echo '{ "xy": 1, "push": { "tags": ["nightly"] } }'
    echo '{ "xy": 1, "push": { "tags": ["late"] } }'
    echo '{ "xy": 1, "progress": 0.5 }'`);
  await conductor.finished();
  const pushed = conductor.messages
    .filter(({ cmd }) => cmd === "jobs")
    .flatMap(({ data }) => (data["j1"] as { push?: { tags: string[] } }).push?.tags ?? []);
  expect(pushed).toEqual(["nightly", "late"]);
});

test("the last 32 KB of a long error output are shown", async () => {
  const conductor = await start();
  conductor.launchScript("i=0; while [ $i -lt 9000 ]; do echo error $i; i=$((i+1)); done >&2; exit 3");
  const { html, description } = await conductor.finished();
  expect(description).toBe("Script exited with code: 3: error 8999");
  const { content } = html as { content: string };
  expect(content).toMatch(/error 8998\nerror 8999<\/pre>$/);
  expect(content.length).toBeGreaterThan(32_000);
  expect(content.length).toBeLessThan(32_800);
});

test("data of several lines is merged, its arrays joined, and held back until the end", async () => {
  const conductor = await start();
  conductor.launchScript(`
    echo '{ "xy": 1, "data": { "rows": [1], "a": 1 }, "table": { "title": "T", "header": [], "rows": [] } }'
    echo '{ "xy": 1, "data": { "rows": [2], "b": 2 }, "workflowData": 7 }'`);
  const job = await conductor.finished();
  expect(job["data"]).toEqual({ rows: [1, 2], a: 1, b: 2 });
  expect(conductor.metaOf()).toContain("Warning: Ignored malformed workflowData: expected an object");
  const before = conductor.messages.filter(({ cmd }) => cmd === "jobs").slice(0, -1);
  for (const { data } of before) expect(data["j1"]).not.toHaveProperty("data");
});

test("text that is no update is log: other JSON, broken JSON, and everything when json is disabled", async () => {
  const conductor = await start();
  conductor.launchScript(`echo '{"a":1}'; echo '{ broken'; echo '[1]'; printf 'no line end'`);
  await conductor.finished();
  expect(conductor.logOf()).toBe('{"a":1}\n{ broken\n[1]\nno line end');
  conductor.launchScript(`echo '{"xy":1,"code":4}'`, { json: false }, { id: "j2" });
  expect(await conductor.finished("j2")).toMatchObject({ code: 0 });
  expect(conductor.logOf("j2")).toBe('{"xy":1,"code":4}\n');
});

test("a plugin cannot change the identity of its job, or reach the prototype", async () => {
  const conductor = await start();
  conductor.launchScript(
    `echo '{"xy":1,"id":"other","pid":1,"server":"x","__proto__":{"evil":1},"data":{"__proto__":{"evil":1},"ok":1},"label":"mine"}'`,
  );
  const job = await conductor.finished();
  expect(job).toMatchObject({ id: "j1", label: "mine", data: { ok: 1 } });
  expect(job["pid"]).not.toBe(1);
  expect(({} as Record<string, unknown>)["evil"]).toBeUndefined();
});

test("annotate puts date and time before each line", async () => {
  const conductor = await start();
  conductor.launchScript("echo one", { annotate: true });
  await conductor.finished();
  expect(conductor.logOf()).toMatch(/^\[\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\] one\n$/);
});

test("standard input is one JSON line with job, input and secrets", async () => {
  const conductor = await start({ baseUrl: "http://ops/" });
  const details = { input: { data: { rows: 3 } }, serverData: { rack: 4 }, activity: [{ msg: "x" }] };
  conductor.launch(
    { params: { script: "cat > in.json; wc -l < in.json; sed 's/^/in: /' in.json" }, event: "e1" },
    { details, sec: { KEY: "s3cret" } },
  );
  await conductor.finished();
  const [lines, text = ""] = conductor.logOf().split("\n");
  expect(Number(lines)).toBe(1);
  expect(JSON.parse(text.slice(4))).toMatchObject({
    xy: 1,
    type: "event",
    id: "j1",
    event: "e1",
    activity: null,
    input: { data: { rows: 3 } },
    serverData: { rack: 4 },
    secrets: { KEY: "s3cret" },
    base_url: "http://ops",
  });
});

test("later layers of the environment win, and the host's own variables are not visible", async () => {
  process.env["SIGNALBOX_TEST_HOST_SECRET"] = "hidden";
  const conductor = await start({ environment: { FROM: "host", KEPT: "yes" }, jobEnv: { FROM: "agent", A: "agent" } });
  const job = {
    env: { A: "job", B: "job" },
    params: { script: "env", "my-param": { x: 1 }, C: "param" },
    workflow: { params: { w: 1 } },
  };
  const details = { input: { data: { d: 1 } }, serverData: { s: 1 }, workflowData: { wd: 1 } };
  conductor.launch(job, { details, sec: { B: "secret", C: "secret" } });
  await conductor.finished();
  delete process.env["SIGNALBOX_TEST_HOST_SECRET"];
  const seen = Object.fromEntries(
    conductor
      .logOf()
      .split("\n")
      .map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]),
  );
  expect(seen).toMatchObject({
    FROM: "agent",
    KEPT: "yes",
    A: "job",
    B: "secret",
    C: "param",
    my_param: '{"x":1}',
    workflow_w: "1",
    workflow_data_wd: "1",
    server_data_s: "1",
    data_d: "1",
    JOB_ID: "j1",
    JOB_NOW: "1800000000",
  });
  expect(seen["SIGNALBOX_TEST_HOST_SECRET"]).toBeUndefined();
});

test("the first line of a script names its interpreter", async () => {
  const conductor = await start({ environment: { PATH: process.env["PATH"] ?? "" } });
  conductor.launchScript("#!/usr/bin/env node\nconsole.log(1 + 1)\n");
  expect(await conductor.finished()).toMatchObject({ code: 0 });
  expect(conductor.logOf()).toBe("2\n");
});

test("the folder of a job is private, its own, and deleted afterwards", async () => {
  const conductor = await start();
  conductor.launchScript("pwd; stat -c %a . ..");
  const job = await conductor.finished();
  expect(conductor.logOf()).toBe(`${job["cwd"]}\n700\n700\n`);
  expect(await readdir(tempDir)).toEqual([]);
});

test("a long output is complete and comes in bounded pieces", async () => {
  const conductor = await start({ maxLogChunkBytes: 4096 });
  conductor.launchScript('i=0; while [ $i -lt 2000 ]; do echo "line $i äöü"; i=$((i+1)); done');
  await conductor.finished();
  const expected = Array.from({ length: 2000 }, (_, index) => `line ${index} äöü\n`).join("");
  expect(conductor.logOf()).toBe(expected);
  const pieces = conductor.messages.filter(({ cmd }) => cmd === "job_log");
  expect(Math.max(...pieces.map(({ data }) => String(data["text"]).length))).toBeLessThanOrEqual(4096);
});

test("a plugin command gets its script, split arguments and variables", async () => {
  const plugins = [{ id: "p1", command: "x", script: 'echo "$@"; echo \'{"xy":1,"complete":true}\'' }];
  const conductor = await start({}, { joined: { plugins } });
  conductor.launch({
    plugin: "p1",
    command: '/bin/sh -c \'sh "$2" "$1"\' x "a $WHO"',
    script: "1",
    params: { WHO: "b c" },
  });
  expect(await conductor.finished()).toMatchObject({ code: 0 });
  expect(conductor.logOf()).toBe("a b c\n");
});

test("a plugin command that crashes is distinguished from one that does not report", async () => {
  const conductor = await start();
  conductor.launch({ id: "j1", command: "/bin/sh -c 'exit 4'" });
  conductor.launch({ id: "j2", command: "/bin/true" });
  const first = await conductor.finished("j1");
  expect(first).toMatchObject({ code: 4, description: `Child ${first["pid"]} crashed with code: 4` });
  const silent = { code: "warning", description: "Process exited without reporting job completion.", unknown: 1 };
  expect(await conductor.finished("j2")).toMatchObject(silent);
});

test("a job that cannot be set up or started fails with code 1 and the reason", async () => {
  const conductor = await start();
  conductor.launch({ id: "j1", command: "/no/such/program" });
  conductor.launch({ id: "j2", command: "[docker-plugin]" });
  conductor.launchScript("true", {}, { id: "j3", uid: "nobody-of-that-name" });
  conductor.launchScript("true", {}, { id: "j4", state: "queued" });
  conductor.launchScript(" ", {}, { id: "j5" });
  expect(await conductor.finished("j1")).toMatchObject({
    code: 1,
    description: expect.stringMatching(/^Child spawn error: .*ENOENT/),
  });
  expect(await conductor.finished("j2")).toMatchObject({
    code: 1,
    description: "Plugin Error: Not available on s1: [docker-plugin]",
  });
  expect(await conductor.finished("j3")).toMatchObject({
    code: 1,
    description: "Setup Error: User does not exist: nobody-of-that-name",
  });
  expect(await conductor.finished("j4")).toMatchObject({
    code: 1,
    description: "Setup Error: Job is not active: queued",
  });
  expect(await conductor.finished("j5")).toMatchObject({ code: 1, description: "Setup Error: Shell script is empty" });
  expect(await readdir(tempDir)).toEqual([]);
});

test("a job id that could be a path is refused", async () => {
  const conductor = await start();
  conductor.launchScript("echo ran", {}, { id: "../evil" });
  conductor.launchScript("echo fine", {}, { id: "j2" });
  await conductor.finished("j2");
  expect(conductor.messages.some(({ data }) => JSON.stringify(data).includes("evil"))).toBe(false);
});
