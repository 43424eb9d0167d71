import { setImmediate } from "node:timers/promises";
import { memoryBlobStore } from "@signalbox/core";
import { createIds, type ProcessExit, type RunningProcess, silentLogger, systemRandom } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { expect, test } from "vitest";
import { tempDir, useShellAgent } from "../../../test/agents/shell-agent.ts";
import { createRun } from "../job/job-life.ts";
import type { JobTools } from "../job/job-run.ts";

useShellAgent();

/** Launches a job whose process writes and exits when the test says so. */
function launch(kill: string) {
  const clock = fakeClock();
  const [exit, output] = [Promise.withResolvers<ProcessExit>(), Promise.withResolvers<string>()];
  const tree = Promise.withResolvers<{ pid: number }[]>();
  const [started, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const signals: string[] = [];
  async function* stdout() {
    started.resolve();
    yield Buffer.from(await output.promise);
  }
  const child: RunningProcess = {
    ...{ pid: 4_000_000, stdout: stdout(), stderr: (async function* () {})(), exited: exit.promise },
    kill: (signal) => void signals.push(signal),
  };
  const tools = {
    ...{ clock, tempDir, killTimeoutSec: 5, inherited: {}, jobEnv: {}, baseUrl: undefined, blobs: memoryBlobStore() },
    context: { ids: createIds({ clock, random: systemRandom() }), log: silentLogger },
    processes: { start: async () => child },
    metrics: {
      tree() {
        asked.resolve();
        return tree.promise;
      },
    },
    ...{ serverId: () => "s1", pluginScript: () => undefined },
  } as unknown as JobTools;
  const abort = new AbortController();
  const job = { id: "j1", command: "[shell-plugin]", kill, uid: "", gid: "", params: { script: "true", json: true } };
  const options = { tools, abort, details: {}, secrets: {}, maxLogChunkBytes: 1000, post: () => undefined };
  const ended = createRun(job, options).work("process");
  return { clock, exit, output, tree, signals, abort, ended, started: started.promise, asked: asked.promise };
}

test("an abort at the exit of the process sends no signal, because its pid may be reused", async () => {
  const at = launch("all");
  await at.started;
  at.abort.abort("stop");
  await at.asked;
  at.output.resolve("");
  at.exit.resolve({ code: 0, signal: null });
  await at.ended;
  at.tree.resolve([{ pid: 4_000_000 }]);
  await setImmediate();
  await at.clock.advance(60);
  expect(at.signals).toEqual([]);
});

test("a code that is read after the exit of its process sets no time to kill it", async () => {
  const at = launch("parent");
  await at.started;
  at.exit.resolve({ code: 0, signal: null });
  await setImmediate();
  at.output.resolve('{ "xy": 1, "code": 0 }\n');
  await at.ended;
  await at.clock.advance(60);
  expect(at.signals).toEqual([]);
});

test("a process that stays on after its code is ended after the kill time", async () => {
  const at = launch("parent");
  await at.started;
  at.output.resolve('{ "xy": 1, "code": 0 }\n');
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  await at.clock.advance(6);
  expect(at.signals).toEqual(["SIGTERM"]);
  at.exit.resolve({ code: null, signal: "SIGTERM" });
  await at.ended;
});
