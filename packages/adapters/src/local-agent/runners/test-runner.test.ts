import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AgentTransport } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ConductorOptions, localConductor } from "../../../test/local-conductor.ts";
import { fsBlobStore } from "../../blobs/index.ts";
import { localAgent } from "../index.ts";

let tempDir = "";
let agent: AgentTransport | undefined;
beforeEach(async () => {
  tempDir = await mkdtemp(join(tmpdir(), "signalbox-test-"));
});
afterEach(async () => {
  await agent?.stop();
  await rm(tempDir, { recursive: true, force: true });
});

async function start(options: ConductorOptions = {}) {
  const blobs = fsBlobStore(join(tempDir, "blobs"));
  agent = localAgent({ tempDir, killTimeoutSec: 2, quickEverySec: 0, blobs });
  const conductor = localConductor(agent, options);
  await conductor.start();
  await conductor.untilCommand("join");
  const launch = (params: Record<string, unknown>) =>
    conductor.launch({ plugin: "testplug", command: "[test-plugin]", params });
  return {
    ...conductor,
    launchTest: launch,
    run(params: Record<string, unknown>) {
      launch({ duration: "0", ...params });
      return conductor.finished();
    },
  };
}

test.each([
  ["Success", 0, "The test succeeded, as it was told to"],
  ["error", 1, "The test ended with error, as it was told to"],
  ["warning", "warning", "The test ended with warning, as it was told to"],
  ["critical", "critical", "The test ended with critical, as it was told to"],
  ["crash", 1, "Plugin Error: The test crashed, as it was told to"],
])("a test ends with %s when it is told to", async (action, code, description) => {
  expect(await (await start()).run({ action })).toMatchObject({ code, description, files: [] });
});

test("a test takes its time, reports its progress, and puts load on the machine without blocking", async () => {
  const clock = fakeClock();
  const conductor = await start({ clock });
  const before = clock.now();
  const running = conductor.run({ duration: "12", action: "success", burn: true, network: true, upload: true });
  let isOver = false;
  const ended = running.finally(() => {
    isOver = true;
  });
  for (; !isOver; await nextTurn()) await clock.advance(1);
  const job = await ended;
  expect(clock.now() - before).toBeGreaterThanOrEqual(12);
  expect(job).toMatchObject({ code: 0, files: [{ filename: "sample-j1.txt", size: expect.any(Number) }] });
  expect(conductor.logOf()).toContain("Sample log line at 1 seconds");
  const told = conductor.messages.flatMap(({ cmd, data }) =>
    cmd === "jobs" ? [(data["j1"] as { progress?: number }).progress] : [],
  );
  expect(told.some((progress) => progress !== undefined && progress > 0 && progress < 1)).toBe(true);
});

test("a custom update given to it counts as its own", async () => {
  const conductor = await start();
  const job = await conductor.run({ custom: '{"data":{"a":1},"push":{"tags":["t"]}}', action: "random" });
  expect(job).toMatchObject({ data: { a: 1 } });
});

test("an abort ends it at once", async () => {
  const conductor = await start();
  conductor.launchTest({ duration: "60-70", action: "success", burn: true });
  await conductor.until(({ cmd }) => cmd === "job_log");
  conductor.send("abort_job", { id: "j1", reason: "Enough" });
  expect(await conductor.finished()).toMatchObject({ code: "abort", description: "Enough" });
});

test.each([
  [{ duration: "long" }, "Plugin Error: Malformed duration: long"],
  [{ duration: "9-5" }, "Plugin Error: Malformed duration: 9-5"],
  [{ action: "explode" }, "Plugin Error: Unknown result: explode"],
])("parameters like %j fail with a clear message", async (params, description) => {
  expect(await (await start()).run(params)).toMatchObject({ code: 1, description });
});
