import type { Cradle } from "../../../kernel/container.ts";
import { DomainError, RateError } from "../../../kernel/errors.ts";
import { splitWords } from "../../../lib/split-words.ts";
import { VERSION } from "../../../lib/version.ts";
import type { ProcessRunner, ProcessSpec, RunningProcess } from "../../../ports/process-runner.ts";
import type { SecretVariable } from "../../secrets/model.ts";
import type { PluginRecord } from "../model.ts";
import { createAnswerMask } from "../rules/mask-answer.ts";
import { type TriggerItem, triggerEnvironment, triggerLine } from "../rules/trigger-line.ts";
import { readTriggerOutput, type TriggerOutput } from "../rules/trigger-output.ts";
import { type Followed, followProcess, MAX_OUTPUT } from "./follow-process.ts";

export interface SchedulerTrial {
  readonly data: unknown;
  readonly stdout: string;
  readonly stderr: string;
  readonly child_cmd: string;
  readonly err?: true;
  readonly description?: string;
}

export interface TrialRequest {
  readonly plugin: PluginRecord;
  readonly item: TriggerItem;
  /** What the caller may see of them. */
  readonly activeJobs: readonly unknown[];
  /** Aborted when the caller leaves: the process is killed. */
  readonly signal: AbortSignal;
}

/** Trial runs of scheduler plugins in this process's machine (part 14 §4.3). */
export interface SchedulerTrials {
  /** Throws what forbids processes here: the host, the configuration, or too many open runs. */
  run(request: TrialRequest): Promise<SchedulerTrial>;
  /** Kills what is running. */
  stop(): Promise<void>;
}

const MAX_OPEN = 10;
const DEFAULT_TIMEOUT_SEC = 30;
const NOTHING = { text: "", isCut: false } as const;

interface Open {
  readonly end: () => void;
  readonly done: Promise<unknown>;
}

type Deps = Pick<Cradle, "clock" | "config" | "processes" | "vault">;

export function createSchedulerTrials(deps: Deps): SchedulerTrials {
  const open = new Set<Open>();
  return {
    async run(request) {
      const { processes, config } = deps;
      if (!processes || !config.plugins.local_exec)
        throw new DomainError("plugin", "conflict", "Local plugin execution is disabled.");
      if (open.size >= MAX_OPEN) throw new RateError("Too many plugin tests are running.");
      const ending = new AbortController();
      const signal = AbortSignal.any([request.signal, ending.signal]);
      const done = runTrial({ ...request, signal }, { ...deps, processes });
      const entry = { end: () => ending.abort(), done };
      open.add(entry);
      // Awaited here: the entry ends with this function.
      return await done.finally(() => open.delete(entry));
    },
    async stop() {
      const all = [...open];
      for (const { end } of all) end();
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };
}

type Tools = Deps & { readonly processes: ProcessRunner };

async function runTrial(request: TrialRequest, tools: Tools): Promise<SchedulerTrial> {
  const { plugin, signal } = request;
  const variables = await tools.vault.variables("plugins", plugin.id);
  const mask = createAnswerMask(variables.map(({ value }) => value));
  const answer = ({ stdout = NOTHING, stderr = NOTHING }: Partial<Followed>, { data, fault }: TriggerOutput) => ({
    data: mask.json(data),
    stdout: mask.written(stdout),
    stderr: mask.written(stderr),
    child_cmd: mask.written({ text: plugin.command, isCut: false }),
    ...(fault === undefined ? {} : { err: true as const, description: mask.written({ text: fault, isCut: false }) }),
  });
  const child = await startChild(request, variables, tools);
  if ("fault" in child) return answer({}, child);
  const timeoutSec = plugin.timeout ?? DEFAULT_TIMEOUT_SEC;
  const followed = await followProcess(child, { clock: tools.clock, timeoutSec, signal });
  return answer(followed, outputOf(followed, timeoutSec));
}

async function startChild(
  request: TrialRequest,
  variables: readonly SecretVariable[],
  { config, processes }: Tools,
): Promise<RunningProcess | (TriggerOutput & { readonly fault: string })> {
  try {
    const [command, ...args] = splitWords(request.plugin.command);
    if (!command) return { data: null, fault: "Scheduler Plugin command names no program." };
    return await processes.start(specOf(request, { command, args, variables, config }));
  } catch (error) {
    return { data: null, fault: `Scheduler Plugin could not be started: ${(error as Error).message}` };
  }
}

interface Program extends Pick<ProcessSpec, "command" | "args">, Pick<Cradle, "config"> {
  readonly variables: readonly SecretVariable[];
}

function specOf(
  { plugin, item, activeJobs }: TrialRequest,
  { command, args, variables, config }: Program,
): ProcessSpec {
  const { base_app_url: baseUrl, default_plugin_credentials: defaults } = config;
  const uid = plugin.uid || defaults.scheduler.uid;
  const gid = plugin.gid || defaults.scheduler.gid;
  return {
    command,
    args,
    cwd: plugin.cwd ?? "",
    env: triggerEnvironment(variables, { XYOPS: VERSION, XYOPS_BASE_URL: baseUrl }),
    stdin: triggerLine({ items: [item], variables, baseUrl, activeJobs }),
    ...(plugin.script ? { script: plugin.script } : {}),
    ...(uid === "" ? {} : { uid: String(uid) }),
    ...(gid === "" ? {} : { gid: String(gid) }),
  };
}

function outputOf({ outcome, stdout }: Followed, timeoutSec: number): TriggerOutput {
  const output = readTriggerOutput(stdout.text, 1);
  const fault = faultOf(outcome, timeoutSec);
  return fault === undefined ? output : { data: output.data, fault: `Scheduler Plugin ${fault}` };
}

function faultOf(outcome: Followed["outcome"], timeoutSec: number): string | undefined {
  if (outcome === "timeout") return `timed out after ${timeoutSec} seconds.`;
  if (outcome === "flood") return `wrote more than ${MAX_OUTPUT} bytes.`;
  if (outcome === "abort") return "was ended before it was done.";
  if (outcome.code === 0) return undefined;
  return outcome.code === null ? `was ended by ${outcome.signal}.` : `exited with code ${outcome.code}.`;
}
