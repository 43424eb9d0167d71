import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { InternalJobEvents } from "./events.ts";
import { getInternalJobs, testInternalJob } from "./operations.ts";
import { createInternalJobs, type InternalJobs } from "./service.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends InternalJobEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly internalJobs: InternalJobs;
  }
}

/** Starts late, and so stops before the domains whose work its jobs do. */
export const internalJobs = definePlugin({
  id: "internal-jobs",
  after: ["mail"],
  operations: [getInternalJobs, testInternalJob],
  services: { internalJobs: createInternalJobs },
  start: async ({ internalJobs: jobs }) => jobs.begin(),
  startsForCalls: true,
  stop: ({ internalJobs: jobs }) => jobs.stop(),
});
