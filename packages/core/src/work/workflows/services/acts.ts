import * as z from "zod";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { object } from "../../../wire/schemas/objects.ts";
import type { ActionNode } from "../../graphs/model.ts";
import { actionOf } from "../../graphs/rules/nodes.ts";
import type { ActiveJob } from "../../jobs/model.ts";
import type { RunDeps } from "./moving/orders.ts";
import type { Steps } from "./moving/steps.ts";

const ActItem = object(() => ({ id: z.string(), node: z.string(), condition: z.string(), number: z.number() }));

/** Runs stand-alone actions in the context of the workflow's own job. */
export function createActs(deps: RunDeps, steps: Steps): { readonly worker: WorkHandler } {
  return {
    async worker({ payload }, _cradle, signal) {
      const { id, node, condition, number } = ActItem.parse(payload);
      const record = await deps.jobs.desk.read(id);
      const action = record && actionAt(record, node);
      // The workflow is gone, so no result is needed.
      if (!record || !action) return;
      const [result] = await deps.actionRunner.run({
        side: "job",
        actions: [{ ...action, condition } as Action],
        data: await deps.jobs.hookData(record),
        // A retry after a crash counts as the same run of the action.
        key: `${id}/${node}/${number}`,
        reach: record.reach,
        signal,
      });
      await steps.acted(id, { node, number, result: result ?? {} });
    },
  };
}

function actionAt({ job }: ActiveJob, id: string): ActionNode["data"] | undefined {
  const nodes = (job.workflow?.["nodes"] ?? []) as readonly {
    readonly id: string;
    readonly data: ActionNode["data"];
  }[];
  const found = nodes.find((node) => node.id === id);
  return found && (actionOf(found.data) as ActionNode["data"]);
}
