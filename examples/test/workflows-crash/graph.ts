import { beside, killsOf } from "../kills.ts";

/** The workflow of the story: a split with tries, what follows it once, a join of two branches, and a wait. */

/** Items of the split: with three, some have ended, one runs and one waits when the process is killed. */
export const ITEMS = ["a", "b", "c", "d", "e", "f"].slice(0, beside(killsOf(100), 3, 6));
export const EVENT = "flow";

const job = (id: string, script: string) => ({
  id,
  type: "job",
  x: 0,
  y: 0,
  data: { plugin: "shellplug", category: "general", targets: ["local"], params: { script } },
});
const BRIEF = "#!/bin/sh\necho working\nsleep 0.05\n";

/** Files by which the story and the slow job of a graph meet. */
export const meetingIn = (folder: string) => ({ runs: `${folder}/slow-runs-in`, killed: `${folder}/was-killed` });

/** Writes down in which process it runs, and runs until a process has been killed; afterwards it takes half a second. */
function slowScript(folder: string): string {
  const { runs, killed } = meetingIn(folder);
  return `#!/bin/sh\necho "$CRASH_NODE" >> '${runs}'\nuntil [ -e '${killed}' ]; do sleep 0.05; done\nsleep 0.5\n`;
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

/** The event of the workflow; its slow job leaves its mark in `folder`. */
export const flowIn = (folder: string) => ({
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
      ...JOBS.flatMap((id) => [job(id, id === "side" ? slowScript(folder) : BRIEF), again(`try_${id}`)]),
    ],
    connections: WIRES.map((wire, index) => {
      const [, source, dest, condition] = /^(\w+)>(\w+)(?::(\w+))?$/.exec(wire) ?? [];
      return { id: `c${index}`, source, dest, ...(condition ? { condition } : {}) };
    }),
  },
});
