import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { enrolmentCollection } from "./collection.ts";
import type { satellitesConfig } from "./config.ts";
import { getSatelliteReleases } from "./operations/releases.ts";
import { satellite } from "./operations/satellite.ts";
import { getSatelliteToken } from "./operations/token.ts";
import { adminUpgradeWorkers } from "./operations/upgrade-workers.ts";
import { createSatellites, type Satellites } from "./service.ts";
import { UPGRADE_KIND, upgradeWorker } from "./services/upgrades.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof satellitesConfig> {}
}
declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly satellites: Satellites;
  }
}

export const satellites = definePlugin({
  id: "satellites",
  after: ["auth", "files", "jobs", "servers"],
  // Excluded from backups: a token of this installation must not admit agents to another one.
  collections: [enrolmentCollection],
  operations: [getSatelliteToken, getSatelliteReleases, adminUpgradeWorkers, satellite],
  services: { satellites: createSatellites },
  workers: { [UPGRADE_KIND]: upgradeWorker },
  start: ({ satellites: { upgrades } }) => upgrades.begin(),
  async stop({ satellites: { upgrades } }) {
    upgrades.end();
  },
});
