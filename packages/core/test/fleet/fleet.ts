import { afterEach } from "vitest";
import type { ConfigInput } from "../../src/engine/config.ts";
import { createSignalbox } from "../../src/engine/signalbox.ts";
import { type Actor, systemActor } from "../../src/kernel/calls/context.ts";
import { definePlugin, type Plugin } from "../../src/kernel/plugins/plugin.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import type { AgentMessage } from "../../src/ports/agents/agent-transport.ts";
import type { Logger } from "../../src/ports/logger.ts";
import type { Mailer } from "../../src/ports/outside/mailer.ts";
import type { WebHookClient } from "../../src/ports/outside/web-hook-client.ts";
import type { Storage } from "../../src/ports/storage/storage.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { type ScriptedServer, scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { nextEventOf } from "../../src/testing/test-jobs.ts";
import type { Action } from "../../src/wire/entries/actions-and-limits.ts";
import type { ActionBatch } from "../../src/work/jobs/actions/action-runner.ts";

export const SECRET_KEY = "EXAMPLE_CLUSTER_KEY";

export interface FleetOptions {
  readonly storage?: Storage;
  readonly clock?: FakeClock;
  readonly config?: ConfigInput;
  readonly plugins?: readonly Plugin[];
  readonly log?: Logger;
  readonly webHooks?: WebHookClient;
  readonly mailer?: Mailer;
  /** Jobs that run on every server. */
  readonly jobs?: readonly { id: string; event: string; tickets: readonly string[] }[];
  /** Result of an action; throws to simulate a crash in the middle of it. */
  readonly runAction?: (action: Action, batch: ActionBatch) => Record<string, unknown>;
}

/** Recorded calls to the services of jobs and of actions. */
interface Told {
  readonly jobs: { server: string; message?: AgentMessage; what: string }[];
  readonly aborted: { server: string; reason: string }[];
  readonly batches: ActionBatch[];
}

/** An engine with a scripted agent; lists of calls replace the job services. */
export async function startFleet({ jobs, runAction, ...options }: FleetOptions = {}) {
  // Hours pass in these tests: the loops that run each second settle together instead of six times in succession.
  const clock = options.clock ?? fakeClock(undefined, { together: true });
  const storage = options.storage ?? memoryStorage({ clock });
  const agent = scriptedAgent();
  const told: Told = { jobs: [], aborted: [], batches: [] };
  const signalbox = createSignalbox({
    ...options,
    ...{ storage, clock, secretKey: SECRET_KEY, agents: agent },
    config: { debug: true, ...options.config },
    plugins: [...(options.plugins ?? []), fakeJobs(told, jobs), fakeActions(told, runAction)],
  });
  await signalbox.start();
  const next = nextEventOf(signalbox.events);
  return {
    agent,
    clock,
    signalbox,
    storage,
    told,
    next,
    /** Advances to the next minute, sends a sample and waits until it is stored. */
    async minute(server: ScriptedServer, data: Record<string, unknown>) {
      await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
      const stored = next("server.minute");
      server.send("monitor", { version: "1.0", date: clock.now(), data });
      await stored;
    },
    /** Lets queued work settle, including the work that it starts. */
    settle: () => clock.advance(1),
  };
}

/** Starts engines for the tests of a file and stops them after each test. */
export function useFleets(): (options?: FleetOptions) => Promise<Fleet> {
  const running: Fleet[] = [];
  afterEach(async () => {
    for (const { signalbox } of running.splice(0)) await signalbox.stop();
  });
  return async (options) => {
    const fleet = await startFleet(options);
    running.push(fleet);
    return fleet;
  };
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

function fakeJobs(told: Told, jobs: NonNullable<FleetOptions["jobs"]> = []) {
  return definePlugin({
    id: "test.jobs",
    after: ["servers"],
    services: {
      jobInbox: () => ({
        received: (server, message) => void told.jobs.push({ server, message, what: "received" }),
        finish: async (server) => void told.jobs.push({ server, what: "finish" }),
        joined: (server) => void told.jobs.push({ server, what: "joined" }),
        gone: (server) => void told.jobs.push({ server, what: "gone" }),
        abortOn: async (server, reason) => void told.aborted.push({ server, reason }),
        activeOn: () => jobs,
        idle: async () => undefined,
      }),
    },
  });
}

function fakeActions(told: Told, runAction: NonNullable<FleetOptions["runAction"]> = () => ({ code: 0 })) {
  return definePlugin({
    id: "test.actions",
    actionTypes: {
      "test.ping": {
        applies: ["alert"],
        target: (action) => String(action["to"] ?? ""),
        run: async () => ({ code: 0, description: "" }),
      },
    },
    services: {
      actionRunner: () => ({
        async run(batch) {
          told.batches.push(batch);
          const done: Action[] = [];
          for (const [index, action] of batch.actions.entries()) {
            const result = action["code"] === undefined ? { ...action, ...runAction(action, batch) } : action;
            if (result !== action) await batch.onResult?.(index, result);
            done.push(result);
          }
          return done;
        },
      }),
    },
  });
}

/** A caller who may only see the given groups. */
export const limitedTo = (...groups: string[]): Actor => ({
  ...systemActor,
  kind: "key",
  id: "k1",
  title: "Limited",
  privileges: { create_monitors: true, edit_alerts: true, create_alerts: true },
  groups,
});
