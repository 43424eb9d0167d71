import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { adminRunMaintenance, adminRunOptimization } from "./operations.ts";
import { createMaintenance, type Maintenance } from "./service.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly maintenance: Maintenance;
  }
}

export const maintenance = definePlugin({
  id: "maintenance",
  operations: [adminRunMaintenance, adminRunOptimization],
  services: { maintenance: createMaintenance },
  loops: [
    {
      name: "maintenance.backup",
      everySec: 60,
      on: "leader",
      run: (now, { maintenance: service }, signal) => service.backup(now, signal),
    },
  ],
});
