import type { Plugin } from "../../src/kernel/plugins/plugin.ts";
import type { Services } from "../../src/kernel/plugins/services.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import type { Storage } from "../../src/ports/storage/storage.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import type { Job } from "../../src/work/jobs/model.ts";
import { recordingLogger, START, startEngine } from "../engine.ts";

export type Launched = Parameters<Services["launcher"]["launch"]>[1];

/** Replaces the jobs domain: launches each key once, like the real one, and can be told to fail. */
export function fakeLauncher(launched: Launched[] = []) {
  const failures: Error[] = [];
  const launcher: Services["launcher"] = {
    async launch(_unit, request) {
      const failure = failures.shift();
      if (failure) throw failure;
      if (launched.some(({ uniqueKey }) => uniqueKey === request.uniqueKey)) return undefined;
      launched.push(request);
      return { id: `j${launched.length}`, event: request.event.id, state: "ready", started: 0 } satisfies Job;
    },
    launchIdempotent: () => Promise.reject(new Error("Nobody asks for this here")),
    storeLaunched: async () => undefined,
  };
  const plugin: Plugin<readonly []> = { id: "fake-launcher", services: { launcher: () => launcher } };
  return { plugin, launched, failures };
}

interface Options {
  readonly start?: number;
  readonly storage?: Storage;
  readonly launched?: Launched[];
  readonly config?: Record<string, unknown>;
}

/** An engine whose scheduler launches into a list. */
export async function startScheduler({
  start = START + 30,
  storage = memoryStorage(),
  launched = [],
  config = {},
}: Options = {}) {
  const launcher = fakeLauncher(launched);
  const clock = fakeClock(start);
  const log = recordingLogger();
  const engine = await startEngine({ storage, clock, log, plugins: [launcher.plugin], config });
  const minutes = (): number[] => launched.map(({ now = Number.NaN }) => (now - START) / 60);
  return { ...engine, ...launcher, clock, log, storage, minutes, [Symbol.asyncDispose]: () => engine.stop() };
}

/** Survives the stop of an engine, like a database. */
export const durable = (): Storage => ({ ...memoryStorage(), close: async () => undefined });

export const event = (...triggers: Record<string, unknown>[]) => ({
  id: "e",
  title: "E",
  enabled: true,
  category: "general",
  plugin: "shellplug",
  params: { script: "x" },
  targets: ["main"],
  algo: "random",
  triggers: triggers.map((trigger) => ({ enabled: true, ...trigger })),
});
export const everyMinute = { type: "schedule" };
export const switched = (isOn: boolean) =>
  ({ "scheduler.enabled": isOn }) as Record<string, unknown> as Record<string, never>;
