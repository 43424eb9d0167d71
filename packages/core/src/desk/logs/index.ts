import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { logsConfig } from "./config.ts";
import { adminSearchLogs } from "./operations.ts";
import { createLogs, type Logs } from "./service.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof logsConfig> {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly logs: Logs;
  }
}

export const logs = definePlugin({
  id: "logs",
  operations: [adminSearchLogs],
  services: { logs: createLogs },
  loops: [
    { name: "logs.archive", everySec: 60, on: "every-node", run: (now, { logs: service }) => service.archive(now) },
  ],
});
