import { definePlugin } from "../../kernel/plugin.ts";
import type { NodeEvents } from "./events.ts";
import { getMasters } from "./operations.ts";
import { createRollCall, type RollCall } from "./service.ts";

declare module "../../kernel/events.ts" {
  interface SignalboxEvents extends NodeEvents {}
}

declare module "../../kernel/services.ts" {
  interface Services {
    readonly rollCall: RollCall;
  }
}

export const nodes = definePlugin({
  id: "nodes",
  after: ["activity"],
  operations: [getMasters],
  services: { rollCall: createRollCall },
  on: {
    "node.leads": (_payload, { rollCall }) => rollCall.note("master_primary"),
    "node.buried": (node, { rollCall }) => rollCall.buried(node),
  },
  start: ({ rollCall }) => rollCall.begin(),
  stop: ({ rollCall }) => rollCall.end(),
});
