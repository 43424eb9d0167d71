import { beside, killsOf } from "../kills.ts";

/** The workflow of the story: a split with tries, what follows it once, a join of two branches, and a wait. */

/** Items of the split: with three, some have ended, one runs and one waits when the process is killed. */
export const ITEMS = ["a", "b", "c", "d", "e", "f"].slice(0, beside(killsOf(100), 3, 6));
export const EVENT = "flow";

/** Runs long enough for the process to be killed meanwhile. */
export const SLOW = "side";
const job = (id: string) => ({
  id,
  type: "job",
  x: 0,
  y: 0,
  data: { plugin: "shellplug", category: "general", targets: ["local"], params: { script: scriptOf(id) } },
});
function scriptOf(id: string): string {
  return `#!/bin/sh\necho working\nsleep ${id === SLOW ? 0.5 : 0.05}\n`;
}
const controller = (id: string, data: object) => ({ id, type: "controller", x: 0, y: 0, data });
/** A job inside the process ends with it, and is retried after the next start. */
const again = (id: string) => ({
  id,
  type: "limit",
  x: 0,
  y: 0,
  data: { enabled: true, type: "retry", amount: 50, duration: 0 },
});

const JOBS = ["each", "after", "side", "last", "late"];

/** Exact number of jobs that count, by graph node. */
export const EXPECTED: Readonly<Record<string, number>> = { each: ITEMS.length, after: 1, side: 1, last: 1, late: 1 };

const WIRES = [
  ...["start>split", "split>each", "each>after:continue", "start>side", "after>both:success", "side>both:success"],
  ...["both>last", "start>pause", "pause>late", ...JOBS.map((id) => `${id}>try_${id}`)],
];

export const flow = {
  id: EVENT,
  title: "Flow",
  enabled: true,
  type: "workflow",
  category: "general",
  plugin: "_workflow",
  triggers: [{ type: "manual", enabled: true, id: "start" }],
  workflow: {
    nodes: [
      { id: "start", type: "trigger", x: 0, y: 0, data: {} },
      controller("split", { controller: "split", split: "data.items" }),
      controller("both", { controller: "join" }),
      controller("pause", { controller: "wait", wait: 1 }),
      ...JOBS.flatMap((id) => [job(id), again(`try_${id}`)]),
    ],
    connections: WIRES.map((wire, index) => {
      const [, source, dest, condition] = /^(\w+)>(\w+)(?::(\w+))?$/.exec(wire) ?? [];
      return { id: `c${index}`, source, dest, ...(condition ? { condition } : {}) };
    }),
  },
};
