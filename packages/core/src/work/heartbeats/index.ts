import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { beatCollection, heartbeatCollection, pingCollection, tokenCollection } from "./collection.ts";
import { Heartbeat } from "./model.ts";
import {
  createHeartbeat,
  deleteHeartbeat,
  getHeartbeat,
  getHeartbeats,
  rotateHeartbeatToken,
  updateHeartbeat,
} from "./operations/definitions.ts";
import { heartbeat } from "./operations/ping.ts";
import { createHeartbeats, type HeartbeatService } from "./service.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"heartbeat"> {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly heartbeats: HeartbeatService;
  }
}

/** Monitors work that runs elsewhere and calls an address (docs/contract/events.md#heartbeats). */
export const heartbeats = definePlugin({
  id: "heartbeats",
  after: ["auth", "activity", "categories", "alerts", "schedules"],
  privileges: { manage_checks: "Manage Checks" },
  collections: [heartbeatCollection, tokenCollection, beatCollection, pingCollection],
  transfer: {
    lists: { heartbeats: { collection: heartbeatCollection, shape: Heartbeat } },
    own: [tokenCollection, beatCollection, pingCollection],
  },
  operations: [
    getHeartbeats,
    getHeartbeat,
    createHeartbeat,
    updateHeartbeat,
    rotateHeartbeatToken,
    deleteHeartbeat,
    heartbeat,
  ],
  services: { heartbeats: createHeartbeats },
  loops: [
    {
      name: "heartbeats.watch",
      everySec: 60,
      on: "leader",
      run: (now, { heartbeats: service }, signal) => service.watch(now, signal),
    },
  ],
});
