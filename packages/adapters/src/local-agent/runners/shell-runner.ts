import type { ProcessExit, ProcessSpec, RunningProcess } from "@signalbox/core/adapter";
import { membersOf, messageOf } from "@signalbox/core/adapter";
import { splitWords } from "@signalbox/core/storage";
import type { Environment } from "../environment.ts";
import { buildEnvironment, leftOutText } from "../environment.ts";
import { AGENT_VERSION } from "../host-metrics.ts";
import { fetchInputFiles } from "../job/job-files.ts";
import { type Account, createJobFolder, findAccount, interpreterOf, type JobFolder } from "../job/job-folder.ts";
import { pause } from "../job/job-output.ts";
import type { JobRun, JobTools } from "../job/job-run.ts";
import { attachOutput } from "./process-output.ts";

/** What is left of a job after its run. */
export interface ProcessJob {
  readonly folder: JobFolder | undefined;
  /** Resolves when an abandoned process has ended; until then it may use the folder. */
  readonly leftBehind: Promise<unknown> | undefined;
}

/** Runs a job as a child process in a private folder, exchanging lines of JSON (docs/contract/satellites.md#plugins-of-jobs). */
export async function runProcess(run: JobRun, tools: JobTools): Promise<ProcessJob> {
  const isShell = run.record.sent["command"] === "[shell-plugin]";
  let folder: JobFolder | undefined;
  let leftBehind: Promise<unknown> | undefined;
  try {
    const account = await findAccount(run.record.sent["uid"], run.record.sent["gid"]);
    folder = await createJobFolder(tools.tempDir, run.record.id, {
      account,
      detached: run.record.sent["kill"] === "none",
    });
    await fetchInputFiles(run, folder, tools.blobs);
    const spec = await specOf(run, tools, { folder, account, isShell });
    if (run.signal.aborted) return { folder, leftBehind };
    const child = await startChild(spec, tools);
    if (child instanceof Error) run.finish(1, `Child spawn error: ${messageOf(child)}`);
    else if (!(await superviseChild(child, run, { tools, isShell }))) leftBehind = child.exited;
  } catch (error) {
    run.finish(1, `Setup Error: ${messageOf(error)}`);
  }
  return { folder, leftBehind };
}

async function startChild(spec: ProcessSpec, { processes }: JobTools): Promise<RunningProcess | Error> {
  try {
    return await processes.start(spec);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function specOf(
  run: JobRun,
  tools: JobTools,
  { folder, account, isShell }: { readonly folder: JobFolder; readonly account: Account; readonly isShell: boolean },
): Promise<ProcessSpec> {
  const { sent } = run.record;
  const { env, leftOut } = buildEnvironment({
    inherited: tools.inherited,
    agent: tools.jobEnv,
    job: sent,
    details: run.details,
    secrets: run.secrets,
    facts: factsOf(run, tools, folder),
    account: account.environment,
  });
  const warning = leftOutText(leftOut);
  if (warning !== undefined) run.meta(warning);
  const program = await programOf(run, tools, { folder, env, isShell });
  run.record.set({ cwd: folder.cwd, log_file: folder.logFile });
  return {
    ...program,
    cwd: folder.cwd,
    env,
    stdin: inputLine(run, tools, folder),
    ...(account.uid === undefined ? {} : { uid: account.uid }),
    ...(account.gid === undefined ? {} : { gid: account.gid }),
  };
}

function factsOf(run: JobRun, { baseUrl }: JobTools, folder: JobFolder): Environment {
  const facts = { XYOPS: AGENT_VERSION, JOB_ID: run.record.id, JOB_LOG: folder.logFile, PWD: folder.cwd };
  const now = String(run.record.sent["now"] ?? "");
  return baseUrl ? { ...facts, JOB_NOW: now, JOB_BASE_URL: baseUrl } : { ...facts, JOB_NOW: now };
}

async function programOf(
  { record }: JobRun,
  tools: JobTools,
  { folder, env, isShell }: { folder: JobFolder; env: Environment; isShell: boolean },
): Promise<{ command: string; args: string[] }> {
  const { sent } = record;
  if (isShell) {
    const script = String(membersOf(sent["params"])["script"] ?? "");
    if (!script.trim()) throw new Error("Shell script is empty");
    return interpreterOf(script, await folder.writeScript(script));
  }
  const [command, ...args] = splitWords(String(sent["command"] ?? ""), env);
  if (!command) throw new Error("Command is empty");
  if (!sent["script"]) return { command, args };
  const script = tools.pluginScript(String(sent["plugin"] ?? "")) ?? String(sent["script"]);
  return { command, args: [...args, await folder.writeScript(script)] };
}

/** The one line of input for a plugin (docs/contract/satellites.md#input-of-a-plugin). */
function inputLine(run: JobRun, tools: JobTools, folder: JobFolder): string {
  const { activity: _rows, ...details } = run.details;
  const line = {
    ...run.record.sent,
    ...details,
    xy: 1,
    type: "event",
    activity: null,
    cwd: folder.cwd,
    log_file: folder.logFile,
    temp_dir: tools.tempDir,
    base_url: tools.baseUrl ?? "",
    secrets: run.secrets,
  };
  return `${JSON.stringify(line)}\n`;
}

interface Supervision {
  readonly tools: JobTools;
  readonly isShell: boolean;
}

/** How long the pipes may stay open after the process has ended. */
const GRACE_MS = 1000;

/** Resolves to false when the process was abandoned. */
async function superviseChild(child: RunningProcess, run: JobRun, { tools, isShell }: Supervision): Promise<boolean> {
  const { clock, killTimeoutSec } = tools;
  run.record.set({ pid: child.pid });
  run.pid = child.pid;
  run.meta(`Spawned child process: PID ${child.pid}`);
  const ending = stopWhenAsked(child, run, tools);
  const output = attachOutput(child, run, { clock, isShell, onComplete: ending.expectExit });
  const exit = await Promise.race([child.exited, ending.abandoned]);
  ending.dispose();
  await Promise.race([output.ended, pause(clock, GRACE_MS)]);
  // A detached process would be killed by its next write to a closed pipe, so its output is still read, and dropped.
  if (exit || run.record.sent["kill"] !== "none") await output.stop();
  run.pid = undefined;
  run.record.remove("procs");
  if (!exit) {
    if (run.record.sent["kill"] !== "none")
      run.meta(`Child did not exit within ${killTimeoutSec * 2} seconds and was left behind: PID ${child.pid}`);
    return false;
  }
  const code = exit.signal ?? exit.code ?? 0;
  run.meta(`Child exited with code: ${code}`);
  if (!run.record.isComplete())
    concludeExit(run, exit, { pid: child.pid, errors: isShell ? output.errorText() : undefined });
  return true;
}

/** Ends a job whose process reported no code; for a script, the exit code is the result. */
function concludeExit(
  run: JobRun,
  exit: ProcessExit,
  { pid, errors }: { pid: number; errors: string | undefined },
): void {
  const code = exit.signal ?? exit.code ?? 0;
  if (errors === undefined) {
    if (!code) run.record.set({ unknown: 1 });
    if (code) run.finish(code, `Child ${pid} crashed with code: ${code}`);
    else run.finish("warning", "Process exited without reporting job completion.");
    return;
  }
  if (errors && code) run.record.set({ html: { title: "Error Output", content: `<pre>${escapeHtml(errors)}</pre>` } });
  const last = errors.split("\n").at(-1)?.slice(0, 500);
  run.finish(code, code ? `Script exited with code: ${code}${last ? `: ${last}` : ""}` : "");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/**
 * Ends a process when its job is aborted, or when it lingers after reporting its code: SIGTERM, then SIGKILL after the kill time,
 * to the parent or the whole group, as `job.kill` says. `abandoned` resolves when even that has not helped. Sends no signals
 * after `dispose`: the ids of the process and of its group may belong to another program by then.
 */
function stopWhenAsked(child: RunningProcess, run: JobRun, { clock, killTimeoutSec, metrics }: JobTools) {
  const kill = run.record.sent["kill"];
  const scope = kill === "parent" ? "parent" : "all";
  const { promise: abandoned, resolve: abandon } = Promise.withResolvers<undefined>();
  let timer: Disposable | undefined;
  let isOver = false;
  const after = (task: () => void): void => {
    timer?.[Symbol.dispose]();
    if (isOver) return;
    timer = clock.after(killTimeoutSec * 1000, task);
  };
  const terminate = async (): Promise<void> => {
    if (kill === "none") {
      run.meta(`Detaching from child process: PID ${child.pid}`);
      return abandon(undefined);
    }
    const text = await killingText(child, scope, metrics);
    if (isOver) return;
    run.meta(text);
    child.kill("SIGTERM", scope);
    after(() => {
      run.meta(`Child did not exit, killing harder: PID ${child.pid}`);
      child.kill("SIGKILL", scope);
      after(() => abandon(undefined));
    });
  };
  const onAbort = (): void => void terminate().catch((error: unknown) => run.meta(`Kill failed: ${messageOf(error)}`));
  if (run.signal.aborted) onAbort();
  run.signal.addEventListener("abort", onAbort, { once: true });
  return {
    abandoned,
    /** Called when the job has reported its code: ends the process if it lingers beyond the kill time. */
    expectExit: () => after(onAbort),
    dispose() {
      isOver = true;
      timer?.[Symbol.dispose]();
      run.signal.removeEventListener("abort", onAbort);
    },
  };
}

async function killingText(
  { pid: parent }: RunningProcess,
  scope: "parent" | "all",
  metrics: JobTools["metrics"],
): Promise<string> {
  if (scope === "parent") return `Killing parent process: ${parent}`;
  const tree = await metrics.tree(parent, new Map());
  return `Killing all job processes: ${tree.map(({ pid }) => pid).join(", ")}`;
}
