import { isObject } from "../../../lib/json/is-object.ts";
import type { Clock } from "../../../ports/clock.ts";

type Members = Readonly<Record<string, unknown>>;

/** Result of a job; further members go into the agent's last message: `perf`, `table`, `files` … */
export interface TestJobResult {
  /** Default 0, success. */
  readonly code?: number | string;
  readonly description?: string;
  /** Output data for the actions and the next jobs. */
  readonly data?: Members;
  readonly [member: string]: unknown;
}

/** A job that a server of the box was told to run and that the test completes. */
export interface TestJob {
  readonly id: string;
  /** Id of the event. */
  readonly event: string;
  readonly params: Members;
  /** Data and files that the job was launched with. */
  readonly input: Members;
  /** Opened secrets by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The job as the engine sent it. */
  readonly sent: Members;
  /** Aborts, with the reason, when the engine ends the job: because of a limit or a person, or because the engine stops. */
  readonly signal: AbortSignal;
  /** True once the test has finished the job or the engine has ended it. */
  readonly isOver: boolean;
  /** Sends a line of output. */
  log(text: string): void;
  /** `fraction` is 0 to 1. */
  progress(fraction: number, status?: string): void;
  tag(...ids: string[]): void;
  /** Sends any other agent message about the job. */
  update(members: Members): void;
  /** Ends the job. Only the first call counts. */
  finish(result?: TestJobResult): void;
}

/** The job from its server's point of view. */
export interface RunningJob {
  readonly job: TestJob;
  /** The job's current state, for reports while it runs. */
  snapshot(): Members;
  /** Called when the engine wants the job to end; the runner of the job then calls `close`. */
  abort(reason: string): void;
  /** Reports the end of the job: with its result, or as aborted. */
  close(result?: TestJobResult): void;
}

export interface JobWiring {
  readonly post: (cmd: string, data: unknown) => void;
  readonly closed: (id: string) => void;
}

const textMembers = (values: Members): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
const members = (value: unknown): Members => (isObject(value) ? value : {});

/** `launch` is the data of the message that launches a job. */
export function createTestJob(launch: unknown, { post, closed }: JobWiring): RunningJob {
  const { job: sent, details, sec } = members(launch);
  const id = String(members(sent)["id"]);
  const abort = new AbortController();
  const fields: Record<string, unknown> = {};
  let isOver = false;
  let aborted: TestJobResult | undefined;

  const tell = (data: Members): void => {
    if (!isOver) post("jobs", { [id]: data });
  };
  const update = (changed: Members): void => {
    Object.assign(fields, changed);
    tell({ ...fields, state: "active" });
  };
  const close = (result: TestJobResult = {}): void => {
    const { code = 0, description = "", ...others } = aborted ?? result;
    tell({ ...fields, ...others, state: "complete", complete: true, progress: 1, code, description });
    isOver = true;
    closed(id);
  };
  const job: TestJob = {
    id,
    event: String(members(sent)["event"]),
    params: members(members(sent)["params"]),
    input: members(members(details)["input"]),
    secrets: textMembers(members(sec)),
    sent: members(sent),
    signal: abort.signal,
    get isOver() {
      return isOver || aborted !== undefined;
    },
    log(text) {
      if (!isOver) post("job_log", { id, text: text.endsWith("\n") ? text : `${text}\n` });
    },
    progress: (fraction, status) =>
      update(status === undefined ? { progress: fraction } : { progress: fraction, status }),
    tag: (...ids) => tell({ ...fields, state: "active", push: { tags: ids.map(String) } }),
    update,
    finish: close,
  };
  return {
    job,
    close,
    snapshot: () => ({ ...fields, state: "active" }),
    abort(reason) {
      if (isOver || aborted) return;
      aborted = { code: "abort", description: reason };
      abort.abort(new Error(reason));
    },
  };
}

/** Returns a function that starts to repeat a task until the task returns false; starting again while it runs does nothing. */
export function createRepeater(clock: Clock, everySec: number, task: () => boolean): () => void {
  let isRunning = false;
  const tick = (): void => {
    isRunning = task();
    if (isRunning) clock.after(everySec * 1000, tick);
  };
  return () => {
    if (isRunning) return;
    isRunning = true;
    clock.after(everySec * 1000, tick);
  };
}
