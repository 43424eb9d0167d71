import { definePlugin } from "../../kernel/plugin.ts";
import { seedOnce } from "../../kernel/seed.ts";
import { pluginCollection } from "./collection.ts";
import { createPlugin, deletePlugin, getPlugin, getPlugins, updatePlugin } from "./operations.ts";
import { DEFAULT_PLUGINS, newPreset } from "./rules/presets.ts";

export const plugins = definePlugin({
  id: "plugins",
  after: ["auth", "activity"],
  collections: [pluginCollection],
  operations: [getPlugins, getPlugin, createPlugin, updatePlugin, deletePlugin],
  start: (cradle) =>
    seedOnce(cradle, "plugins", async ({ tx, audit }) => {
      const stamp = { username: "admin", now: Math.floor(cradle.clock.now()) };
      for (const preset of DEFAULT_PLUGINS) {
        const plugin = newPreset(preset, stamp);
        await tx.collection(pluginCollection).insert(plugin);
        audit("plugin_create", { plugin });
      }
    }),
});
