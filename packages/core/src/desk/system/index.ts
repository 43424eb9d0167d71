import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { configOverrideCollection } from "./collection.ts";
import { adminGetConfig, adminUpdateConfig } from "./operations/config.ts";
import { echo, error, ping } from "./operations/diagnostics.ts";
import { getMultiple } from "./operations/get-multiple.ts";
import { getGlobalState } from "./operations/global-state.ts";
import { adminUpgradeMasters, getMasterReleases, masterCommand } from "./operations/nodes.ts";
import { createDefinitionLists, createLookups, type DefinitionLists, type Lookups } from "./service.ts";
import { createLiveConfig, type LiveConfig } from "./services/live-config.ts";
import { createShownState, type ShownState } from "./services/shown-state.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly lookups: Lookups;
    readonly lists: DefinitionLists;
    readonly liveConfig: LiveConfig;
    readonly shownState: ShownState;
  }
}

/** Comes first, so that settings changed at run time are in force before any other domain starts. */
export const system = definePlugin({
  id: "system",
  collections: [configOverrideCollection],
  transfer: { own: [configOverrideCollection] },
  operations: [
    ping,
    error,
    echo,
    getMultiple,
    getGlobalState,
    adminGetConfig,
    adminUpdateConfig,
    getMasterReleases,
    adminUpgradeMasters,
    masterCommand,
  ],
  services: {
    lookups: createLookups,
    lists: createDefinitionLists,
    liveConfig: createLiveConfig,
    shownState: createShownState,
  },
  loops: [
    {
      // After a gap in the messages of other nodes, definitions are read again without an event.
      name: "system.config",
      everySec: 60,
      on: "every-node",
      run: async (_now, { liveConfig }) => liveConfig.refreshIfChanged(),
    },
  ],
  on: {
    "definitions.changed": ({ collection }, { liveConfig }) => {
      if (collection === configOverrideCollection.name) liveConfig.refresh();
    },
  },
  start: async ({ liveConfig }) => liveConfig.refreshIfChanged(),
  startsForCalls: true,
});
