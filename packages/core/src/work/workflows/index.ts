import { definePlugin } from "../../kernel/plugins/plugin.ts";
import {
  workflowEndCollection,
  workflowKeptCollection,
  workflowNodeCollection,
  workflowPartCollection,
  workflowRunCollection,
} from "./collection.ts";
import { createWorkflows, type Workflows } from "./services/runs.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly workflows: Workflows;
  }
}

export const workflows = definePlugin({
  id: "workflows",
  after: ["jobs"],
  collections: [
    workflowRunCollection,
    workflowNodeCollection,
    workflowPartCollection,
    workflowEndCollection,
    workflowKeptCollection,
  ],
  services: { workflows: createWorkflows },
  workers: {
    "workflows.step": (item, cradle, signal) => cradle.workflows.workers.step(item, cradle, signal),
    "workflows.abort": (item, cradle, signal) => cradle.workflows.workers.abort(item, cradle, signal),
    "workflows.act": (item, cradle, signal) => cradle.workflows.workers.act(item, cradle, signal),
    "workflows.finish": (item, cradle, signal) => cradle.workflows.workers.finish(item, cradle, signal),
    "workflows.clean": (item, cradle, signal) => cradle.workflows.workers.clean(item, cradle, signal),
  },
  stop: ({ workflows: runs }) => runs.stop(),
  loops: [
    {
      name: "workflows.tick",
      everySec: 1,
      on: "leader",
      run: (_now, { workflows: runs }) => runs.tick(),
      isIdle: (_now, { workflows: runs }) => runs.isIdle(),
    },
  ],
});
