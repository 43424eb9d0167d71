import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { schedulesConfig } from "./config.ts";
import { explainEventRun } from "./operations/explain.ts";
import { previewEvent } from "./operations/preview.ts";
import { getUpcomingRuns } from "./operations/upcoming.ts";
import { createScheduler, type Scheduler } from "./services/scheduler.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof schedulesConfig> {}
}
declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly scheduler: Scheduler;
  }
}

/** Launches events at times of the clock. */
export const schedules = definePlugin({
  id: "schedules",
  after: ["events"],
  operations: [previewEvent, getUpcomingRuns, explainEventRun],
  services: { scheduler: createScheduler },
  loops: [
    {
      name: "scheduler",
      everySec: 60,
      on: "leader",
      run: (now, { scheduler }, signal) => scheduler.run(now, signal),
    },
  ],
  async start({ clock, scheduler }) {
    scheduler.begin(clock.now());
  },
  stop: ({ scheduler }) => scheduler.stop(),
});
