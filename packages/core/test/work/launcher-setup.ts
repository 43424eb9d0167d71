import { startJobs } from "../../src/testing/test-jobs.ts";
import { eventCollection } from "../../src/work/events/collection.ts";
import type { Event } from "../../src/work/events/model.ts";
import { readEvent } from "../../src/work/events/rules/record/read.ts";
import { activeJobCollection, jobLaunchCollection } from "../../src/work/jobs/collection.ts";
import type { LaunchRequest } from "../../src/work/jobs/model.ts";
import { cradleProbe } from "../engine.ts";

export type Members = Record<string, unknown>;

export type Changes = Partial<LaunchRequest>;

export async function setUp(config: Members = {}) {
  const probe = cradleProbe();
  const jobs = await startJobs({ plugins: [probe.plugin as never], config });
  const cradle = probe.cradle();
  const eventOf = async (id: string): Promise<Event> => {
    const event = await cradle.snapshot((tx) => tx.collection(eventCollection).get(id));
    if (!event) throw new Error(`No event ${id}`);
    return readEvent(event);
  };
  return {
    ...jobs,
    cradle,
    eventOf,
    async launch(id: string, changes: Changes = {}) {
      const event = await eventOf(id);
      return cradle.transact((unit) => cradle.launcher.launch(unit, { event, source: "scheduler", ...changes }));
    },
    active: async () => (await cradle.snapshot((tx) => tx.collection(activeJobCollection).find({ kind: "all" }))).rows,
    keys: () => cradle.snapshot(async (tx) => (await tx.collection(jobLaunchCollection).find({ kind: "all" })).total),
  };
}
