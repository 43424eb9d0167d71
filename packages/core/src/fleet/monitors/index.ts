import type { ConfigOf } from "../../kernel/config/config.ts";
import { insertMissing, seedOnce } from "../../kernel/definitions/seed.ts";
import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { monitorCollection } from "./collection.ts";
import type { monitorsConfig } from "./config.ts";
import {
  createMonitor,
  deleteMonitor,
  getMonitor,
  getMonitors,
  multiUpdateMonitor,
  updateMonitor,
} from "./operations/definitions.ts";
import { getHistoricalMonitorData, getLatestMonitorData, getQuickmonData } from "./operations/readings.ts";
import { testMonitor } from "./operations/trial.ts";
import { defaultMonitors } from "./rules/presets.ts";
import { createMonitors, type MonitorService } from "./service.ts";
import { ringLoops } from "./services/minutes/minute-ring.ts";
import { retentionLoop } from "./services/timeline/retention.ts";
import { tidyingLoop } from "./services/timeline/tidying.ts";
import { monitorTransfer } from "./transfer.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof monitorsConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"monitor"> {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly monitors: MonitorService;
  }
}

export const monitors = definePlugin({
  id: "monitors",
  after: ["auth", "activity"],
  collections: [monitorCollection],
  transfer: monitorTransfer,
  operations: [
    getMonitors,
    getMonitor,
    createMonitor,
    updateMonitor,
    deleteMonitor,
    multiUpdateMonitor,
    testMonitor,
    getLatestMonitorData,
    getHistoricalMonitorData,
    getQuickmonData,
  ],
  services: { monitors: createMonitors },
  maintenance: { "Monitor history": (now, cradle, signal) => retentionLoop.run(now, cradle, signal) },
  loops: [retentionLoop, tidyingLoop, ...ringLoops],
  async start(cradle) {
    cradle.monitors.quickEverywhere.begin();
    await seedOnce(cradle, "monitors", async (unit) => {
      const monitors = defaultMonitors(Math.floor(cradle.clock.now()));
      for (const monitor of await insertMissing(unit, monitorCollection, monitors))
        unit.audit("monitor_create", { monitor });
    });
  },
});
