import { defineEvent, type TriggerInput } from "@signalbox/core";
import { beside, killsOf } from "../kills.ts";

/** A schedule that is due each minute. */
export interface EveryMinute {
  readonly id: string;
  /** Where the jobs run: in a function of the node that launches them, or on a satellite, which outlives the nodes. */
  readonly by: "node" | "satellite";
  readonly catchup: boolean;
}

export const SATELLITE = "satellite";
const COUNT = beside(killsOf(30), 20, 50);

/** Half of them run on the satellite, and half of each kind catch up on missed runs. */
export const SCHEDULES: readonly EveryMinute[] = Array.from({ length: COUNT }, (_unused, n) => ({
  id: `every_minute_${n}`,
  by: n % 2 === 0 ? "node" : "satellite",
  catchup: n % 4 < 2,
}));

const triggersOf = ({ catchup }: EveryMinute): TriggerInput[] => [
  { type: "schedule", enabled: true },
  ...(catchup ? [{ type: "catchup" as const, enabled: true }] : []),
];

/** The events whose work is a function of the node. */
export const functionEvents = (ran: (jobId: string) => void) =>
  SCHEDULES.filter(({ by }) => by === "node").map((schedule) =>
    defineEvent({ id: schedule.id, title: schedule.id, triggers: triggersOf(schedule), run: ({ job }) => ran(job.id) }),
  );

/** The other events, as the API takes them. A launch that never reached the satellite is retried. */
export const satelliteEvents = (): readonly Readonly<Record<string, unknown>>[] =>
  SCHEDULES.filter(({ by }) => by === "satellite").map((schedule) => ({
    id: schedule.id,
    title: schedule.id,
    enabled: true,
    category: "general",
    plugin: "shellplug",
    params: { script: "exit 0" },
    targets: [SATELLITE],
    algo: "random",
    triggers: triggersOf(schedule),
    limits: [{ enabled: true, type: "retry", amount: 3 }],
  }));
