import { type ActionInput, defineEvent, type LimitInput } from "@signalbox/core";

/** Records each run of a job's work as one line. */
export interface Witness {
  /** Appends a line with the job's id to the file of runs. */
  ran(jobId: string): void;
}

/** Outside targets of the load's events. */
export interface Surroundings {
  /** File that shell scripts append to. */
  readonly runsFile: string;
  /** Address of the receiver of hooks, which also takes the requests of jobs: `…/run/<job id>`. */
  readonly receiver: string;
}

export const HOOK = "receiver";
const CHILD = "child";
const DONE_TAG = "done";

/** Text that names effect and job for receivers, which do not know the key. */
const told = (effect: string): string => `effect=${effect} job={{job.id}};`;
const hook = (condition: string) => {
  return { enabled: true, condition, type: "web_hook", web_hook: HOOK, text: told(`hook_${condition}`) };
};
const mail = (condition: string) => {
  return { enabled: true, condition, type: "email", email: "ops@example.com", body: told(`mail_${condition}`) };
};
/** Notifies that the job waits for approval. */
export const SUSPENDED = "hook_suspended";
const suspend = { enabled: true, condition: "start", type: "suspend", web_hook: HOOK, text: told(SUSPENDED) };
const tag = { enabled: true, condition: "success", type: "tag", tags: [DONE_TAG] };
const launchChild = { enabled: true, condition: "success", type: "run_event", event_id: CHILD };
const retry = (amount: number, more: object = {}) => ({ enabled: true, type: "retry", amount, ...more });
const tooLong = {
  enabled: true,
  type: "time",
  duration: 1,
  abort: true,
  tags: ["slow"],
  web_hook: HOOK,
  text: told("hook_limit"),
};

interface Kind {
  readonly id: string;
  readonly actions: readonly object[];
  readonly limits?: readonly object[];
  readonly tags?: readonly string[];
}

interface PluginKind extends Kind {
  readonly plugin: string;
  readonly params: (at: Surroundings) => Readonly<Record<string, unknown>>;
}

interface FunctionKind extends Kind {
  readonly seconds: number;
  /** Share of runs that fail. */
  readonly failing?: number;
}

const script =
  (work: string): PluginKind["params"] =>
  ({ runsFile }) => ({ script: `#!/bin/sh\necho "$JOB_ID" >> '${runsFile}'\necho begun\n${work}\n` });
/** Fails in half of all runs. */
const HALF = "test $(od -An -N1 -tu1 /dev/urandom) -lt 128";

const PLUGIN_KINDS: readonly PluginKind[] = [
  {
    id: "shell_once",
    plugin: "shellplug",
    params: script("sleep 0.3"),
    actions: [hook("start"), hook("complete"), mail("error"), tag],
  },
  {
    id: "shell_long",
    plugin: "shellplug",
    params: script("sleep 2"),
    actions: [hook("complete"), mail("success"), mail("error")],
  },
  {
    id: "shell_retry",
    plugin: "shellplug",
    params: script(`sleep 0.2\n${HALF}`),
    actions: [hook("start"), hook("complete"), mail("error"), tag],
    limits: [retry(2)],
  },
  {
    id: "shell_queue",
    plugin: "shellplug",
    params: script("sleep 0.2"),
    tags: ["lined_up"],
    actions: [hook("complete"), hook("start")],
    limits: [
      { enabled: true, type: "job", amount: 2 },
      { enabled: true, type: "queue", amount: 500 },
    ],
  },
  {
    id: "shell_limit",
    plugin: "shellplug",
    params: script("sleep 5"),
    actions: [hook("error"), mail("abort")],
    limits: [tooLong, retry(1, { duration: 1 })],
  },
  {
    id: "shell_parent",
    plugin: "shellplug",
    params: script("sleep 0.1"),
    actions: [hook("start"), launchChild, mail("success")],
  },
  { id: "shell_suspended", plugin: "shellplug", params: script("sleep 0.1"), actions: [suspend, hook("complete")] },
  {
    id: "http_once",
    plugin: "httpplug",
    params: ({ receiver }) => ({ method: "GET", url: `${receiver}run/{{id}}` }),
    actions: [hook("complete"), mail("error"), tag],
  },
  {
    id: "test_once",
    plugin: "testplug",
    params: () => ({ duration: "0.5", action: "Success", upload: true }),
    actions: [hook("complete"), mail("success")],
  },
];

const FUNCTION_KINDS: readonly FunctionKind[] = [
  { id: "function_once", seconds: 0.3, actions: [hook("start"), hook("complete"), mail("error"), tag] },
  {
    id: "function_retry",
    seconds: 0.2,
    failing: 0.5,
    actions: [hook("complete"), mail("error")],
    limits: [retry(3, { duration: 0.5, backoff: 2, jitter: 0.2 })],
  },
  { id: CHILD, seconds: 0.05, actions: [hook("complete")] },
];

const triggers = [{ type: "manual", enabled: true }];

/** Records of the events whose work is done by plugins, as the API takes them. */
export const pluginEvents = (at: Surroundings): readonly Readonly<Record<string, unknown>>[] =>
  PLUGIN_KINDS.map(({ params, ...kind }) => ({
    title: kind.id,
    enabled: true,
    category: "general",
    targets: ["main"],
    algo: "random",
    triggers,
    ...kind,
    params: params(at),
  }));

/** The events whose work is a function of the program. */
export const functionEvents = ({ ran }: Witness) =>
  FUNCTION_KINDS.map(({ id, actions, limits = [], seconds, failing = 0 }) =>
    defineEvent({
      id,
      title: id,
      actions: actions as readonly ActionInput[],
      limits: limits as readonly LimitInput[],
      async run({ job, log }) {
        ran(job.id);
        log("begun");
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        if (Math.random() < failing) throw new Error("This run fails");
      },
    }),
  );

export const TAGS: readonly string[] = [DONE_TAG, "slow", "lined_up"];
/** The events that the load launches; only the parent launches the child. */
export const LAUNCHED: readonly string[] = [...PLUGIN_KINDS, ...FUNCTION_KINDS]
  .map(({ id }) => id)
  .filter((id) => id !== CHILD);
