import { availableParallelism, tmpdir } from "node:os";
import type { Clock, ProcessRunner, RunningProcess } from "@signalbox/core/adapter";
import { membersOf, messageOf } from "@signalbox/core/adapter";
import { splitWords } from "@signalbox/core/storage";
import type { Environment } from "./environment.ts";
import { buildEnvironment } from "./environment.ts";
import { createJobFolder, findAccount, type JobFolder } from "./job/job-folder.ts";
import { pause } from "./job/job-output.ts";
import { isOn } from "./job/job-record.ts";
import { inSlices } from "./metrics/read-host.ts";

/** Output of a run: the result for the sample, and the error output for tests of a plugin. */
interface PluginResult {
  readonly result: unknown;
  readonly stderr: string;
}

export interface MonitorPlugins {
  /** Takes the plugins as the node delivers them. */
  replace(commands: unknown): void;
  /** Sets the groups of this server. */
  setGroups(groups: unknown): void;
  /** Output by plugin id; undefined when no plugin is configured. */
  runMinute(): Promise<Readonly<Record<string, unknown>> | undefined>;
  runQuick(): Promise<Readonly<Record<string, unknown>>>;
  test(id: string): Promise<PluginResult>;
  /** Ends running plugins; resolves when none of their processes is left. */
  stop(): Promise<void>;
}

interface Tools {
  readonly clock: Clock;
  readonly processes: ProcessRunner;
  readonly tempDir: string;
  readonly inherited: Environment;
}

type Command = Readonly<Record<string, unknown>>;

const MAX_PLUGINS = 500;
const MAX_OUTPUT_BYTES = 1_048_576;
const DEFAULT_TIMEOUT_SEC = 10;
const QUICK_TIMEOUT_SEC = 1;
const CONCURRENCY = Math.max(2, availableParallelism());

/** Tracks the runs under way; `stop` ends them. */
function createRuns(tools: Tools) {
  const stopping = new AbortController();
  const running = new Set<Promise<PluginResult>>();
  return {
    run(command: Command, limitSec?: number): Promise<PluginResult> {
      const result = runPlugin(command, { ...tools, signal: stopping.signal }, limitSec);
      running.add(result);
      return result.finally(() => running.delete(result));
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

/** Whether a plugin applies to one of the groups; a plugin without groups applies to all. */
function isForOne(command: Command, groups: readonly unknown[]): boolean {
  const wanted = Array.isArray(command["groups"]) ? (command["groups"] as unknown[]) : [];
  return wanted.length === 0 || wanted.some((group) => groups.includes(group));
}

/** Runs monitor plugins: programs whose output becomes a reading (docs/contract/plugins.md#monitor-plugins). */
export function createMonitorPlugins(tools: Tools): MonitorPlugins {
  let commands: readonly Command[] = [];
  let groups: readonly unknown[] = [];
  const { run, stop } = createRuns(tools);
  const applies = (command: Command): boolean => isOn(command["enabled"]) && isForOne(command, groups);
  const runAll = async (chosen: readonly Command[], limitSec?: number): Promise<Record<string, unknown>> => {
    const rows = await inSlices(chosen, CONCURRENCY, async (command) => {
      const { result } = await run(command, limitSec);
      return [String(command["id"]), result] as const;
    });
    return Object.fromEntries(rows);
  };
  return {
    replace(list) {
      const rows = Array.isArray(list) ? list.map(membersOf) : [];
      commands = rows.filter(({ id }) => /^[a-z0-9_]{1,64}$/.test(String(id))).slice(0, MAX_PLUGINS);
    },
    setGroups(list) {
      groups = Array.isArray(list) ? list : [];
    },
    async runMinute() {
      const chosen = commands.filter(applies);
      return chosen.length > 0 ? runAll(chosen) : undefined;
    },
    async runQuick() {
      const chosen = commands.filter((command) => applies(command) && isOn(command["quick"]));
      return chosen.length > 0 ? runAll(chosen, QUICK_TIMEOUT_SEC) : {};
    },
    async test(id) {
      const command = commands.find((each) => each["id"] === id);
      if (!command) return { result: `Error: Plugin not found: ${id}`, stderr: "" };
      return run(command);
    },
    stop,
  };
}

interface RunTools extends Tools {
  readonly signal: AbortSignal;
}

/** Runs a plugin. A failure becomes a result that begins with `Error: `. */
async function runPlugin(command: Command, tools: RunTools, limitSec?: number): Promise<PluginResult> {
  let folder: JobFolder | undefined;
  try {
    const account = await findAccount(command["uid"], command["gid"]);
    folder = await createJobFolder(tools.tempDir, String(command["id"]), { account });
    const { env } = buildEnvironment({
      inherited: tools.inherited,
      agent: {},
      job: {},
      details: {},
      secrets: membersOf(command["sec"]),
      facts: {},
      account: account.environment,
    });
    const [program, ...args] = splitWords(String(command["command"] ?? ""), env);
    if (!program) return { result: "Error: Command is empty", stderr: "" };
    const script = command["script"] ? [await folder.writeScript(String(command["script"]))] : [];
    if (tools.signal.aborted) throw new Error(STOPPED);
    const child = await tools.processes.start({
      command: program,
      args: [...args, ...script],
      cwd: String(command["cwd"] || tmpdir()),
      env,
      stdin: "",
      ...(account.uid === undefined ? {} : { uid: account.uid }),
      ...(account.gid === undefined ? {} : { gid: account.gid }),
    });
    const own = Number(command["timeout"]) || DEFAULT_TIMEOUT_SEC;
    const { text, stderr } = await collect(child, tools, Math.min(own, limitSec ?? own));
    return { result: formatted(text, String(command["format"] ?? "text")), stderr };
  } catch (error) {
    return { result: `Error: ${messageOf(error)}`, stderr: "" };
  } finally {
    await folder?.remove().catch(() => undefined);
  }
}

const STOPPED = "The agent stopped";

async function collect(
  child: RunningProcess,
  { clock, signal }: RunTools,
  timeoutSec: number,
): Promise<{ text: string; stderr: string }> {
  const { promise: cut, resolve: cutOff } = Promise.withResolvers<string>();
  using _timer = clock.after(timeoutSec * 1000, () => cutOff(`Command timed out after ${timeoutSec} seconds`));
  const onStop = (): void => cutOff(STOPPED);
  signal.addEventListener("abort", onStop, { once: true });
  if (signal.aborted) onStop();
  const stop = (): void => child.kill("SIGKILL", "all");
  const outputs = Promise.all([readSome(child.stdout, stop), readSome(child.stderr, () => undefined)]);
  const done = await Promise.race([Promise.all([outputs, child.exited]), cut]);
  signal.removeEventListener("abort", onStop);
  if (typeof done !== "string") return { text: done[0][0], stderr: done[0][1] };
  stop();
  // The pipes close with the process; waiting up to a second leaves none of them open.
  await Promise.race([outputs, pause(clock, 1000)]);
  throw new Error(done);
}

/** Reads at most 1 MiB; calls `full` when there is more. */
async function readSome(stream: AsyncIterable<Uint8Array>, full: () => void): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < MAX_OUTPUT_BYTES) continue;
    full();
    break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_OUTPUT_BYTES).toString("utf8");
}

function formatted(text: string, format: string): unknown {
  const trimmed = text.trim();
  if (format === "text") return trimmed;
  if (format !== "json") return `Error: Format is not available on this server: ${format}`;
  try {
    return JSON.parse(trimmed);
  } catch (error) {
    return `Error: Output is not JSON: ${messageOf(error)}`;
  }
}
