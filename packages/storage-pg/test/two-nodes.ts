import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createSignalbox, memoryBlobStore, silentLogger } from "@signalbox/core";
import type { WebHookClient } from "@signalbox/core/adapter";
import type { Storage } from "@signalbox/core/storage";
import { type FakeClock, fakeClock, scriptedAgent } from "@signalbox/core/testing";
import { expect, onTestFinished } from "vitest";
import { quickKeys, quickPasswords } from "../../core/test/engine.ts";
import { pgStorage } from "../src/index.ts";
import { lendDatabase } from "./lent-database.ts";

const SECRET_KEY = "EXAMPLE_CLUSTER_KEY";

/** The token by which both nodes know the satellite with this id. */
export const tokenOf = (server: string): string =>
  createHash("sha256")
    .update(server + SECRET_KEY)
    .digest("hex");

/** Outcome of a call: its answer, or its refusal. */
export const outcome = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (answer) => ({ answer }),
    ({ code, description }) => ({ code, description }),
  );

interface Given {
  /** Makes the web hook client of the engine on a host. */
  readonly webHooksOf?: (host: string) => WebHookClient;
  /** Makes the storage of the engine on a host from the real one. */
  readonly storageOf?: (host: string, storage: Storage) => Storage;
}

/** Two engines on one database, each with its own satellites; the test moves the clock of both. */
export async function twoNodes({ webHooksOf, storageOf = (_host, storage) => storage }: Given = {}) {
  const connectionString = await lendDatabase();
  const clock = fakeClock(1_795_253_600);
  const blobs = memoryBlobStore({ clock });
  const warnings: string[] = [];
  const errors: string[] = [];
  const log = {
    ...silentLogger,
    error: (_fields: object, text: string) => void errors.push(text),
    warn: (_fields: object, text: string) => void warnings.push(text),
  };
  const open = async (host: string) => {
    const agent = scriptedAgent();
    const signalbox = createSignalbox({
      storage: storageOf(host, pgStorage({ connectionString, clock, log: silentLogger })),
      ...{ agents: agent, blobs, clock, log, secretKey: SECRET_KEY, plugins: [quickKeys, quickPasswords] },
      ...(webHooksOf ? { webHooks: webHooksOf(host) } : {}),
      config: { cluster: { host, drain_delay_sec: 20 }, debug: true },
    });
    await signalbox.start();
    onTestFinished(() => signalbox.stop());
    return { ...signalbox, agent, join: (id: string) => agent.connect(satellite(id)) };
  };
  const [one, two] = [await open("one.example.internal"), await open("two.example.internal")];
  return {
    blobs,
    clock,
    connectionString,
    one,
    two,
    /** Errors and warnings that the engines logged. */
    errors,
    warnings,
    /**
     * Advances the clock until something holds on the real database. Each look advances it a little, since a node that a busy
     * machine keeps from beating for ten seconds of that time counts as gone.
     */
    until: (read: () => unknown) =>
      expect.poll(async () => {
        await clock.advance(0.2);
        return whileTimePasses(clock, Promise.resolve(read()));
      }),
  };
}

export type Node = Awaited<ReturnType<typeof twoNodes>>["one"];

const satellite = (id: string) => ({
  id,
  hostname: `${id}.example.internal`,
  initial: { groups: ["main"] },
  info: { features: { testMonitorPlugin: true } },
  join: { clusterKey: SECRET_KEY },
});

const LATE = Symbol("late");

/** A question that the other node does not answer times out by the clock. */
async function whileTimePasses(clock: FakeClock, answer: Promise<unknown>): Promise<unknown> {
  for (;;) {
    const first = await Promise.race([answer, sleep(250, LATE)]);
    if (first !== LATE) return first;
    await clock.advance(0.5);
  }
}
