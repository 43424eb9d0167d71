import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { Graphs, ReplayedJobs } from "./service.ts";
import { createGraphs } from "./services/graphs.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly graphs: Graphs;
    /** Provided by the domain of jobs. */
    readonly replayedJobs: ReplayedJobs;
  }
}

/** Graphs of workflows as events store them: their faults, and who may write and run them. */
export const graphs = definePlugin({ id: "graphs", after: ["plugins"], services: { graphs: createGraphs } });
