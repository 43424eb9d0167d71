import { afterEach } from "vitest";
import type { SystemHook } from "../../src/desk/hooks/config.ts";
import { ticketCollection } from "../../src/desk/tickets/collection.ts";
import type { ConfigInput } from "../../src/engine/config.ts";
import type { Mail } from "../../src/ports/outside/mailer.ts";
import type { WebHookClient } from "../../src/ports/outside/web-hook-client.ts";
import { type JobsOptions, startJobs } from "../../src/testing/test-jobs.ts";
import { cradleProbe, recordingLogger } from "../engine.ts";
import { type Step, scriptedClient } from "../scripted/scripted-client.ts";
import { scriptedProcesses } from "../scripted/scripted-processes.ts";

type Members = Readonly<Record<string, unknown>>;
type Hooks = Readonly<Record<string, SystemHook>>;

interface Options extends Pick<JobsOptions, "clock" | "storage"> {
  readonly config?: ConfigInput;
  readonly answers?: readonly Step[];
  readonly client?: WebHookClient;
  readonly mailFailures?: readonly Error[];
  readonly exit?: { readonly code: number } | "never";
}

/** Starts engines with system hooks for the tests of a file and stops them after each test. */
export function useHooks(): (hooks: Hooks, options?: Options) => Promise<HookBox> {
  const running: HookBox[] = [];
  afterEach(async () => {
    for (const { signalbox } of running.splice(0)) await signalbox.stop();
  });
  return async (hooks, options) => {
    const box = await startHooks(hooks, options);
    running.push(box);
    return box;
  };
}

export type HookBox = Awaited<ReturnType<typeof startHooks>>;

/** An engine with system hooks, and lists of the calls, mails and commands that they cause. */
async function startHooks(hooks: Hooks, options: Options = {}) {
  const { answers = [], client: given, mailFailures = [], exit = { code: 0 }, ...engine } = options;
  const client = scriptedClient(...answers);
  const mails: Mail[] = [];
  const failures = [...mailFailures];
  const processes = scriptedProcesses(() => ({ exit }));
  const log = recordingLogger();
  const probe = cradleProbe();
  const jobs = await startJobs({
    ...engine,
    webHooks: given ?? client,
    processes: processes.runner,
    mailer: {
      async send(mail) {
        const failure = failures.shift();
        if (failure) throw failure;
        mails.push(mail);
      },
    },
    log,
    plugins: [probe.plugin],
  });
  const { api } = jobs.signalbox;
  // Set only now, because a fresh store writes activity rows about its presets.
  if (Object.keys(hooks).length > 0) await api.adminUpdateConfig({ hooks });
  await jobs.settle();
  return {
    ...jobs,
    api,
    log,
    mails,
    processes,
    sent: client.sent,
    bodies: () => client.sent.map(({ body }) => JSON.parse(String(body)) as Members),
    actions: () => client.sent.map(({ body }) => (JSON.parse(String(body)) as { action: string }).action).sort(),
    faults: () => log.lines.filter(({ message }) => message === "A system hook failed"),
    tickets: () =>
      probe.cradle().snapshot(async (tx) => (await tx.collection(ticketCollection).find({ kind: "all" }, {})).rows),
  };
}
