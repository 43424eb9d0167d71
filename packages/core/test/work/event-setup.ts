import { activityCollection } from "../../src/directory/activity/collection.ts";
import { DomainError } from "../../src/kernel/errors/errors.ts";
import type { Plugin } from "../../src/kernel/plugins/plugin.ts";
import type { Services } from "../../src/kernel/plugins/services.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import { eventStateCollection } from "../../src/work/events/collection.ts";
import type { Job } from "../../src/work/jobs/model.ts";
import { keyWith, startEngine } from "../engine.ts";

export type Launched = Parameters<Services["launcher"]["launch"]>[1];

/** Replaces the jobs domain: records the launches that are requested. */
export function fakeLauncher() {
  const launched: Launched[] = [];
  let refusal: string | undefined;
  const launcher: Services["launcher"] = {
    async launch(_unit, request) {
      if (refusal) throw new DomainError("job", "conflict", refusal);
      launched.push(request);
      return { id: `j${launched.length}`, event: request.event.id, state: "ready", started: 0 } satisfies Job;
    },
    launchIdempotent: () => Promise.reject(new Error("Nobody asks for this here")),
    storeLaunched: async () => undefined,
  };
  const plugin: Plugin<readonly []> = { id: "fake-launcher", services: { launcher: () => launcher } };
  return { plugin, launched, refuse: (text: string) => (refusal = text) };
}

export async function setUp(config: Record<string, unknown> = {}) {
  const launcher = fakeLauncher();
  const storage = memoryStorage();
  const engine = await startEngine({ storage, plugins: [launcher.plugin], config });
  return {
    ...engine,
    ...launcher,
    storage,
    activity: (action: string) =>
      storage.read(async (tx) =>
        (await tx.collection(activityCollection).list()).filter((row) => row.action === action),
      ),
    state: (id: string) => storage.read((tx) => tx.collection(eventStateCollection).get(id)),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

export const basic = {
  id: "backup",
  title: "Backup",
  enabled: true,
  category: "general",
  plugin: "shellplug",
  params: { script: "echo hi" },
  targets: ["main"],
  algo: "random",
  triggers: [{ type: "manual" as const, enabled: true }],
};

export const writer = keyWith(["create_events", "edit_events", "delete_events", "run_jobs"]);
