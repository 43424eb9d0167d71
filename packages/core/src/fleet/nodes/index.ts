import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { NodeEvents } from "./events.ts";
import { drainNode, getMasters } from "./operations.ts";
import { createRollCall, DRAIN_KIND, type RollCall } from "./service.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends NodeEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly rollCall: RollCall;
  }
}

export const nodes = definePlugin({
  id: "nodes",
  after: ["activity"],
  operations: [getMasters, drainNode],
  services: { rollCall: createRollCall },
  workers: { [DRAIN_KIND]: ({ payload }, { rollCall }) => rollCall.drain(payload) },
  on: {
    "node.leads": (_payload, { rollCall }) => rollCall.note("master_primary"),
    "node.buried": (node, { rollCall }) => rollCall.buried(node),
  },
  start: ({ rollCall }) => rollCall.begin(),
  stop: ({ rollCall }) => rollCall.end(),
});
