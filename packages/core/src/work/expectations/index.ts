import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { judgedCollection } from "./collection.ts";
import { createExpectations, type Expectations } from "./service.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly expectations: Expectations;
  }
}

/** Expectations of events, judged for the alerts on events (docs/contract/events.md#expect). */
export const expectations = definePlugin({
  id: "expectations",
  after: ["events", "jobs", "alerts", "schedules"],
  collections: [judgedCollection],
  transfer: { own: [judgedCollection] },
  services: { expectations: createExpectations },
  on: { "job.completed": ({ event }, { expectations: service }) => service.see(event) },
  loops: [
    {
      name: "expectations.watch",
      everySec: 60,
      on: "leader",
      run: (now, { expectations: service }, signal) => service.watch(now, signal),
    },
  ],
});
