import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { workflowEndCollection, workflowPartCollection } from "../collection.ts";
import type { WorkflowEnd, WorkflowPart } from "../model.ts";
import { partOf } from "../rules/parts.ts";
import type { Mover } from "./moving/mover.ts";
import type { Workflows } from "./runs.ts";

interface Noted {
  readonly parts: WorkflowPart[];
  readonly ends: WorkflowEnd[];
}

/** Collects the ends of sub-jobs, and writes all ends of one unit of work together. */
export function createEnds(
  { nodes }: Pick<Cradle, "nodes">,
  { move }: Mover,
): Pick<Workflows, "noteEnd" | "storeEnds"> {
  const noted = new WeakMap<Unit, Noted>();
  return {
    async noteEnd(unit, final, record) {
      const { id, type, workflow } = final;
      if (type === "workflow") await unit.tx.enqueue("workflows.clean", { id }, { key: id });
      const run = workflow?.["job"];
      if (typeof run !== "string") return;
      const { conditions = [], activation } = record;
      const { part, end } = partOf(final, { conditions, activation });
      const list = noted.get(unit) ?? { parts: [], ends: [] };
      noted.set(unit, list);
      list.parts.push(part);
      list.ends.push({ id: part.id, run, at: nodes.nowMs() / 1000, end, ...(final.ephemeral ? { job: final } : {}) });
    },
    async storeEnds(unit) {
      const { parts, ends } = noted.get(unit) ?? { parts: [], ends: [] };
      if (!noted.delete(unit)) return;
      await unit.tx.collection(workflowPartCollection).insertMany(parts);
      await unit.tx.collection(workflowEndCollection).insertMany(ends);
      // Called directly: queued work would add a cost to each job of a chain.
      unit.tx.afterCommit(() => {
        for (const run of new Set(ends.map((end) => end.run))) void move(run);
      });
    },
  };
}
