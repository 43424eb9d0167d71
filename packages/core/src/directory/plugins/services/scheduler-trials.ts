import type { Cradle } from "../../../kernel/container.ts";
import { DomainError, RateError } from "../../../kernel/errors/errors.ts";
import { VERSION } from "../../../lib/process/version.ts";
import { splitWords } from "../../../lib/text/split-words.ts";
import type { ProcessRunner, ProcessSpec, RunningProcess } from "../../../ports/agents/process-runner.ts";
import type { SecretVariable } from "../../secrets/model.ts";
import type { PluginRecord } from "../model.ts";
import { createAnswerMask } from "../rules/output/mask-answer.ts";
import { type TriggerItem, triggerEnvironment, triggerLine } from "../rules/output/trigger-line.ts";
import { readTriggerOutput, type TriggerOutput } from "../rules/output/trigger-output.ts";
import { processIdentity } from "../rules/process-identity.ts";
import { type Followed, faultOf, followProcess } from "./follow-process.ts";

export interface SchedulerTrial {
  readonly data: unknown;
  readonly stdout: string;
  readonly stderr: string;
  readonly child_cmd: string;
  readonly err?: true;
  readonly description?: string;
}

interface ProgramRequest {
  readonly plugin: PluginRecord;
  /** Active jobs, reduced to the members that the plugin may see. */
  readonly activeJobs: readonly unknown[];
  /** Kills the process when it aborts, because nobody waits for the answer any longer. */
  readonly signal: AbortSignal;
}
export interface TrialRequest extends ProgramRequest {
  readonly item: TriggerItem;
}
export interface DecisionRequest extends ProgramRequest {
  readonly items: readonly TriggerItem[];
}

/**
 * Runs scheduler plugins on the machine of this process, for trials (docs/contract/plugins.md#trials) and for due jobs
 * (docs/contract/plugins.md#scheduler-plugins).
 */
export interface SchedulerTrials {
  /** Throws when no process may start, because the host or the configuration does not allow it or too many runs are open. */
  run(request: TrialRequest): Promise<SchedulerTrial>;
  /** Returns the raw answers, one per item, or why there are none; throws like `run`. Faults contain no secrets. */
  decide(request: DecisionRequest): Promise<TriggerOutput>;
  /** Kills all running programs. */
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
  // Counted separately, so that trials and due jobs never block each other.
  const trials = new Set<Open>();
  const decisions = new Set<Open>();

  async function track<T>(
    open: Set<Open>,
    outer: AbortSignal,
    work: (tools: Tools, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { processes, config } = deps;
    if (!processes || !config.plugins.local_exec)
      throw new DomainError("plugin", "conflict", "Local plugin execution is disabled.");
    if (open.size >= MAX_OPEN) throw new RateError("Too many plugin tests are running.");
    const ending = new AbortController();
    const done = work({ ...deps, processes }, AbortSignal.any([outer, ending.signal]));
    const entry = { end: () => ending.abort(), done };
    open.add(entry);
    // Awaited here, because this function removes the entry when it ends.
    return await done.finally(() => open.delete(entry));
  }

  return {
    run: ({ item, ...request }) =>
      track(trials, request.signal, (tools, signal) => runTrial({ ...request, items: [item], signal }, tools)),
    decide: (request) =>
      track(decisions, request.signal, (tools, signal) => runDecision({ ...request, signal }, tools)),
    async stop() {
      const all = [...trials, ...decisions];
      for (const { end } of all) end();
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };
}

type Tools = Deps & { readonly processes: ProcessRunner };

async function runTrial(request: DecisionRequest, tools: Tools): Promise<SchedulerTrial> {
  const { plugin } = request;
  const variables = await tools.vault.variables("plugins", plugin.id);
  const mask = createAnswerMask(variables.map(({ value }) => value));
  const answer = ({ stdout = NOTHING, stderr = NOTHING }: Partial<Followed>, { data, fault }: TriggerOutput) => ({
    data: mask.json(data),
    stdout: mask.written(stdout),
    stderr: mask.written(stderr),
    child_cmd: mask.written({ text: plugin.command, isCut: false }),
    ...(fault === undefined ? {} : { err: true as const, description: mask.written({ text: fault, isCut: false }) }),
  });
  const { followed, output } = await runProgram(request, variables, tools);
  return answer(followed, output);
}

async function runDecision(request: DecisionRequest, tools: Tools): Promise<TriggerOutput> {
  const variables = await tools.vault.variables("plugins", request.plugin.id);
  const { output } = await runProgram(request, variables, tools);
  if (output.fault === undefined) return output;
  const mask = createAnswerMask(variables.map(({ value }) => value));
  return { data: null, fault: mask.written({ text: output.fault, isCut: false }) };
}

async function runProgram(
  request: DecisionRequest,
  variables: readonly SecretVariable[],
  tools: Tools,
): Promise<{ followed: Partial<Followed>; output: TriggerOutput }> {
  const { items, plugin, signal } = request;
  const child = await startChild(request, variables, tools);
  if ("fault" in child) return { followed: {}, output: child };
  const timeoutSec = plugin.timeout ?? DEFAULT_TIMEOUT_SEC;
  const followed = await followProcess(child, { clock: tools.clock, timeoutSec, signal });
  return { followed, output: outputOf(followed, { timeoutSec, count: items.length }) };
}

async function startChild(
  request: DecisionRequest,
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
  { plugin, items, activeJobs }: DecisionRequest,
  { command, args, variables, config }: Program,
): ProcessSpec {
  const { base_app_url: baseUrl, default_plugin_credentials: defaults } = config;
  return {
    command,
    args,
    ...processIdentity(plugin, defaults.scheduler),
    env: triggerEnvironment(variables, { XYOPS: VERSION, XYOPS_BASE_URL: baseUrl }),
    stdin: triggerLine({ items, variables, baseUrl, activeJobs }),
    ...(plugin.script ? { script: plugin.script } : {}),
  };
}

function outputOf(
  { outcome, stdout }: Followed,
  { timeoutSec, count }: { timeoutSec: number; count: number },
): TriggerOutput {
  const output = readTriggerOutput(stdout.text, count);
  const fault = faultOf(outcome, timeoutSec);
  return fault === undefined ? output : { data: output.data, fault: `Scheduler Plugin ${fault}` };
}
