import type { ConfigOf } from "../../kernel/config/config.ts";
import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { checkCollection, claimCollection, resultCollection, stateCollection } from "./collection.ts";
import type { checksConfig } from "./config.ts";
import { Check } from "./model.ts";
import {
  createCheck,
  deleteCheck,
  getCheck,
  getChecks,
  getCheckTimeline,
  testCheck,
  updateCheck,
} from "./operations.ts";
import { type CheckService, createChecks } from "./service.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof checksConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"check"> {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly checks: CheckService;
  }
}

/** Checks: addresses that the engine and its satellites probe (docs/contract/monitors.md#checks). */
export const checks = definePlugin({
  id: "checks",
  after: ["auth", "activity", "categories", "web-hooks", "alerts"],
  collections: [checkCollection, stateCollection, claimCollection, resultCollection],
  transfer: {
    lists: { checks: { collection: checkCollection, shape: Check } },
    own: [stateCollection, claimCollection, resultCollection],
  },
  operations: [getChecks, getCheck, getCheckTimeline, createCheck, updateCheck, testCheck, deleteCheck],
  services: { checks: createChecks },
  loops: [
    {
      name: "checks.ask",
      everySec: 10,
      on: "every-node",
      run: (now, { checks: service }, signal) => service.askDue(now, signal),
    },
    {
      name: "checks.watch",
      everySec: 60,
      on: "leader",
      run: (_now, { checks: service }, signal) => service.watch(signal),
    },
    { name: "checks.deliver", everySec: 60, on: "every-node", run: async (_now, { checks }) => checks.deliver() },
  ],
  on: {
    "definitions.changed"({ collection }, { checks }) {
      if (collection === "checks") checks.deliver();
    },
    "server.minute": ({ id }, { checks }) => checks.received(id),
  },
});
