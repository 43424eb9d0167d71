import type { ConfigOf } from "../../kernel/config/config.ts";
import { insertMissing, seedOnce } from "../../kernel/definitions/seed.ts";
import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { pluginCollection } from "./collection.ts";
import type { pluginsConfig } from "./config.ts";
import { PluginRecord } from "./model.ts";
import { createPlugin, deletePlugin, getPlugin, getPlugins, updatePlugin } from "./operations/definitions.ts";
import { testMonitorPlugin } from "./operations/test-monitor.ts";
import { testSchedulerPlugin } from "./operations/test-scheduler.ts";
import { DEFAULT_PLUGINS, newPreset } from "./rules/presets.ts";
import { pluginAction } from "./services/action.ts";
import { type ActionTurns, createActionTurns } from "./services/action-turns.ts";
import { createMonitorTests, type MonitorTests } from "./services/monitor-tests.ts";
import { createSchedulerTrials, type SchedulerTrials } from "./services/scheduler-trials.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof pluginsConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"plugin"> {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly actionPlugins: ActionTurns;
    readonly monitorTests: MonitorTests;
    readonly schedulerTrials: SchedulerTrials;
  }
}

export const plugins = definePlugin({
  id: "plugins",
  after: ["auth", "activity"],
  collections: [pluginCollection],
  transfer: { lists: { plugins: { collection: pluginCollection, shape: PluginRecord, definition: "plugin" } } },
  operations: [getPlugins, getPlugin, createPlugin, updatePlugin, deletePlugin, testMonitorPlugin, testSchedulerPlugin],
  actionTypes: { plugin: pluginAction },
  services: {
    actionPlugins: createActionTurns,
    monitorTests: createMonitorTests,
    schedulerTrials: createSchedulerTrials,
  },
  start(cradle) {
    cradle.monitorTests.begin();
    return seedOnce(cradle, "plugins", async (unit) => {
      const stamp = { username: "admin", now: Math.floor(cradle.clock.now()) };
      const plugins = DEFAULT_PLUGINS.map((preset) => newPreset(preset, stamp));
      for (const plugin of await insertMissing(unit, pluginCollection, plugins))
        unit.audit("plugin_create", { plugin });
    });
  },
  async stop({ monitorTests, schedulerTrials }) {
    monitorTests.stop();
    await schedulerTrials.stop();
  },
});
