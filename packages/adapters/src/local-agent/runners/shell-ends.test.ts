import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, onLinux, start, tempDir, useShellAgent } from "../../../test/agents/shell-agent.ts";

useShellAgent();

test("an abort ends the whole group by SIGTERM, with the reason as description", async () => {
  const conductor = await start();
  conductor.launchScript("#!/bin/sh\necho started\nsleep 300\n");
  await conductor.untilCommand("job_log");
  conductor.send("abort_job", { id: "j1", reason: "Manually aborted" });
  conductor.send("abort_job", { id: "j1", reason: "again" });
  const early = await conductor.untilJob((job) => job["complete"] === true);
  expect(early.data["j1"]).toMatchObject({ state: "active", code: "abort", description: "Manually aborted" });
  expect(await conductor.finished()).toMatchObject({ code: "abort", description: "Manually aborted", complete: true });
  const meta = conductor.metaOf();
  expect(meta[1]).toBe("Aborting job on server");
  expect(meta[2]).toMatch(onLinux ? /^Killing all job processes: \d+, \d+$/ : /^Killing all job processes: /);
  expect(meta.slice(3)).toEqual(["Child exited with code: SIGTERM", "Job is finishing"]);
});

test("a script that ignores SIGTERM is killed after the kill time", async () => {
  const conductor = await start({ killTimeoutSec: 0.2 });
  conductor.launchScript("trap '' TERM\necho started\nwhile :; do sleep 0.05; done");
  await conductor.untilCommand("job_log");
  conductor.send("abort_job", { id: "j1", reason: "stop" });
  expect(await conductor.finished()).toMatchObject({ code: "abort", description: "stop" });
  expect(conductor.metaOf()).toContain("Child exited with code: SIGKILL");
});

test("kill none ends the job and leaves the process", async () => {
  const conductor = await start();
  conductor.launchScript("echo started; exec sleep 300", {}, { kill: "none" });
  await conductor.untilCommand("job_log");
  conductor.send("abort_job", { id: "j1", reason: "stop" });
  const { pid, code } = await conductor.finished();
  expect(code).toBe("abort");
  expect(process.kill(Number(pid), "SIGKILL")).toBe(true);
});

test("with kill none the process keeps its output and continues its work", async () => {
  const conductor = await start();
  const [go, done] = ["go", "done"].map((name) => join(tempDir, name)) as [string, string];
  const script = `echo started; until [ -e ${go} ]; do sleep 0.05; done; echo more; echo more; echo $? > ${done}`;
  conductor.launchScript(script, {}, { kill: "none" });
  await conductor.untilCommand("job_log");
  conductor.send("abort_job", { id: "j1", reason: "stop" });
  await conductor.finished();
  await writeFile(go, "");
  await expect.poll(() => readFile(done, "utf8").catch(() => "")).toBe("0\n");
  expect(conductor.logOf()).toBe("started\n");
});

test("an orphan that holds the pipe does not hold the job", async () => {
  const conductor = await start();
  conductor.launchScript("(sleep 5) &\necho done");
  expect(await conductor.finished()).toMatchObject({ code: 0 });
  expect(conductor.logOf()).toBe("done\n");
});

test("a script that stays on after its code is ended after the kill time", async () => {
  const conductor = await start({ killTimeoutSec: 0.2 });
  conductor.launchScript(`echo '{"xy":1,"code":0}'; sleep 300`);
  expect(await conductor.finished()).toMatchObject({ code: 0 });
  expect(conductor.metaOf()).toContain("Child exited with code: SIGTERM");
});

test("a repeated launch of a running job does not disturb it", async () => {
  const conductor = await start();
  conductor.launchScript("echo one; sleep 0.2");
  conductor.launchScript("echo two");
  expect(await conductor.finished()).toMatchObject({ code: 0 });
  expect(conductor.logOf()).toBe("one\n");
});

test("a job whose launch arrives while the agent stops is ended as well", async () => {
  const conductor = await start({ killTimeoutSec: 0.2 });
  conductor.launchScript("trap '' TERM\necho started\nwhile :; do sleep 0.05; done");
  await conductor.untilCommand("job_log");
  const stopped = agent?.stop();
  conductor.launchScript("sleep 300", {}, { id: "j2" });
  await stopped;
  expect(await conductor.finished("j2")).toMatchObject({ code: "abort", description: "Server is shutting down." });
});

test("stop aborts running jobs and waits for them", async () => {
  const conductor = await start();
  conductor.launchScript("echo started; sleep 300");
  await conductor.untilCommand("job_log");
  await agent?.stop();
  expect(await conductor.finished()).toMatchObject({ code: "abort", description: "Server is shutting down." });
  expect(conductor.events).toEqual(["connected", "disconnected"]);
  expect(conductor.send("echo", {})).toBe(false);
});
