import { randomInt } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { membersOf } from "@signalbox/core/adapter";
import type { JobFolder } from "../job/job-folder.ts";
import { pause } from "../job/job-output.ts";
import { isOn } from "../job/job-record.ts";
import type { JobRun, JobTools } from "../job/job-run.ts";

const MAX_SECONDS = 86_400;
const STEP_MS = 1000;
const BURST_BYTES = 65_536;
const OUTCOMES = ["success", "error", "warning", "critical", "crash"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** A job that only takes time and ends as its parameters say (docs/contract/plugins.md#presets, `testplug`). */
export async function runTest(run: JobRun, folder: JobFolder, tools: JobTools): Promise<void> {
  const params = membersOf(run.record.sent["params"]);
  const seconds = secondsOf(String(params["duration"] ?? "60"));
  const outcome = outcomeOf(String(params["action"] ?? "success").toLowerCase());
  applyCustom(run, String(params["custom"] ?? ""));
  run.log(`Test of ${seconds} seconds\n`);
  // The load runs in a thread, and the traffic through sockets, so that neither blocks other work.
  const load = isOn(params["burn"]) ? new Worker("for (;;) {}", { eval: true }) : undefined;
  const traffic = isOn(params["network"]) ? await startTraffic() : undefined;
  try {
    await takeTime(run, tools, { seconds, burst: traffic?.burst });
  } finally {
    await load?.terminate();
    traffic?.close();
  }
  if (run.signal.aborted) return;
  if (isOn(params["upload"])) await writeUpload(run, folder, seconds);
  conclude(run, outcome);
}

/** Parses a number, or a range from which one is picked at random. */
function secondsOf(text: string): number {
  const [, from = "", to = from] = /^\s*(\d+(?:\.\d+)?)\s*(?:-\s*(\d+(?:\.\d+)?))?\s*$/.exec(text) ?? [];
  const [least, most] = [Number(from), Number(to)];
  if (from === "" || most < least || most > MAX_SECONDS) throw new Error(`Malformed duration: ${text.slice(0, 40)}`);
  return most === least ? least : least + randomInt(0, Math.floor(most - least) + 1);
}

function outcomeOf(text: string): Outcome {
  if (text === "random") return OUTCOMES[randomInt(OUTCOMES.length)] ?? "success";
  const found = OUTCOMES.find((outcome) => outcome === text);
  if (!found) throw new Error(`Unknown result: ${text.slice(0, 40)}`);
  return found;
}

/** Applies a custom update, as if a plugin had written it. */
function applyCustom(run: JobRun, text: string): void {
  if (text.trim() === "") return;
  try {
    if (run.record.apply(membersOf(JSON.parse(text)))) run.changed();
  } catch {
    run.meta("Warning: The custom text of the test is not JSON");
  }
}

interface Course {
  readonly seconds: number;
  readonly burst: (() => void) | undefined;
}

async function takeTime(run: JobRun, { clock }: JobTools, { seconds, burst }: Course): Promise<void> {
  const total = seconds * 1000;
  const begin = clock.monotonicMs();
  const aborted = new Promise<void>((resolve) => {
    if (run.signal.aborted) resolve();
    run.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  // A custom update may already have ended the job.
  for (let done = 0; done < total && !run.signal.aborted && !run.record.isComplete(); ) {
    await Promise.race([pause(clock, Math.min(STEP_MS, total - done)), aborted]);
    done = clock.monotonicMs() - begin;
    burst?.();
    run.log(`Sample log line at ${Math.round(done / 1000)} seconds\n`);
    if (run.record.apply({ progress: Math.min(1, done / total) })) run.changed();
  }
}

/** Sends bytes from this process to itself. */
async function startTraffic() {
  const server: Server = createServer((socket) => socket.on("error", () => undefined).resume()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket: Socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  const bytes = Buffer.alloc(BURST_BYTES);
  return {
    burst: () => void (socket.writableLength === 0 && socket.write(bytes)),
    close() {
      socket.destroy();
      server.close();
    },
  };
}

async function writeUpload(run: JobRun, folder: JobFolder, seconds: number): Promise<void> {
  const filename = `sample-${run.record.id}.txt`;
  await writeFile(join(folder.cwd, filename), `A file of a test of ${seconds} seconds.\n`, { mode: 0o600, flag: "wx" });
  run.record.apply({ push: { files: [{ path: filename }] } });
}

function conclude(run: JobRun, outcome: Outcome): void {
  if (outcome === "crash") throw new Error("The test crashed, as it was told to");
  if (outcome === "success") run.finish(0, "The test succeeded, as it was told to");
  else run.finish(outcome === "error" ? 1 : outcome, `The test ended with ${outcome}, as it was told to`);
}
