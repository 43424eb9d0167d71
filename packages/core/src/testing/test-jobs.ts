import type { ConfigInput } from "../engine/config.ts";
import { createSignalbox } from "../engine/signalbox.ts";
import type { EventBus } from "../kernel/plugins/event-bus.ts";
import type { SignalboxEvents } from "../kernel/plugins/events.ts";
import type { Plugin } from "../kernel/plugins/plugin.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";
import { memoryStorage } from "../memory/memory-storage.ts";
import type { AgentMessage } from "../ports/agents/agent-transport.ts";
import type { ProcessRunner } from "../ports/agents/process-runner.ts";
import type { Logger } from "../ports/logger.ts";
import type { Mailer } from "../ports/outside/mailer.ts";
import type { WebHookClient } from "../ports/outside/web-hook-client.ts";
import type { BlobStore } from "../ports/storage/blob-store.ts";
import type { Storage } from "../ports/storage/storage.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { type ScriptedConnect, type ScriptedServer, scriptedAgent } from "./scripted-agent.ts";

export interface JobsOptions {
  readonly storage?: Storage;
  readonly blobs?: BlobStore;
  readonly clock?: FakeClock;
  readonly config?: ConfigInput;
  readonly plugins?: readonly Plugin[];
  readonly log?: Logger;
  readonly webHooks?: WebHookClient;
  readonly mailer?: Mailer;
  readonly processes?: ProcessRunner;
  readonly codeVersion?: string;
}

const noActions = { default: [], workflow: [] };

/** An engine with a scripted agent, without universal actions unless the test requests them. */
export async function startJobs(options: JobsOptions = {}) {
  const clock = options.clock ?? fakeClock(1_795_253_600, { together: true });
  const storage = options.storage ?? memoryStorage({ clock });
  const blobs = options.blobs ?? memoryBlobStore({ clock });
  const agent = scriptedAgent();
  const life = crashable(storage);
  const signalbox = createSignalbox({
    ...options,
    ...{ storage: life.storage, blobs, clock, secretKey: "EXAMPLE_CLUSTER_KEY", agents: agent },
    config: { debug: true, job_universal_actions: noActions, ...options.config },
  });
  await signalbox.start();
  return {
    agent,
    blobs,
    clock,
    signalbox,
    storage,
    connect: (options: Partial<ScriptedConnect> = {}) =>
      agent.connect({ hostname: "web01.example.internal", id: "s1", initial: { groups: ["main"] }, ...options }),
    /** Creates an event of the shell plugin that can be run manually. */
    async event(members: Record<string, unknown> = {}): Promise<string> {
      const { event } = await signalbox.api.createEvent({
        title: "Backup",
        enabled: true,
        category: "general",
        plugin: "shellplug",
        targets: ["main"],
        algo: "random",
        params: { script: "echo hello" },
        triggers: [{ type: "manual", enabled: true }],
        ...members,
      });
      return event.id;
    },
    /** Runs queued work and the jobs that it starts. */
    settle: (seconds = 0.01) => clock.advance(seconds),
    next: nextEventOf(signalbox.events),
    /** Ends the engine like a power cut: none of its writes reach the storage any more. */
    crash: life.crash,
  };
}

export type TestJobs = Awaited<ReturnType<typeof startJobs>>;

/** Resolves with the next event of a type. */
export const nextEventOf =
  (events: EventBus) =>
  <K extends keyof SignalboxEvents>(type: K): Promise<SignalboxEvents[K]> =>
    new Promise((resolve) => {
      const listener = (payload: SignalboxEvents[K]): void => {
        events.off(type, listener as never);
        resolve(payload);
      };
      events.on(type, listener as never);
    });

/** The jobs that a server was told to run, newest last. */
export const launched = (
  server: ScriptedServer,
): { job: Record<string, unknown>; details: Record<string, unknown> }[] =>
  server.received.filter(({ cmd }) => cmd === "launch_job").map(({ data }) => data as never);

export const commands = (server: ScriptedServer, cmd: string): AgentMessage[] =>
  server.received.filter((message) => message.cmd === cmd);

function crashable(storage: Storage) {
  let isDead = false;
  const gone = (): Promise<never> => Promise.reject(new Error("The storage is gone"));
  const { coordination, work } = storage;
  const guarded: Storage = {
    ...storage,
    coordination: { ...coordination, beat: (row) => (isDead ? gone() : coordination.beat(row)) },
    work: {
      claim: (options) => (isDead ? Promise.resolve([]) : work.claim(options)),
      renew: (items, until) => (isDead ? gone() : work.renew(items, until)),
      complete: (items) => (isDead ? gone() : work.complete(items)),
      release: (item, outcome) => (isDead ? gone() : work.release(item, outcome)),
      rewind: (now, most) => (isDead ? gone() : work.rewind(now, most)),
      free: (node) => (isDead ? gone() : work.free(node)),
      onEnqueued: (wake) => work.onEnqueued(wake),
      stats: () => work.stats(),
    },
    read: (run) => (isDead ? gone() : storage.read(run)),
    write: (run) => (isDead ? gone() : storage.write(run)),
  };
  return {
    storage: guarded,
    crash: () => {
      isDead = true;
    },
  };
}
