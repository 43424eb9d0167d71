import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { adminResetDailyStats, adminStats, dashStats, searchStatHistory } from "./operations.ts";
import { createStatistics, type Statistics } from "./service.ts";
import { createTraffic, type TrafficCounter } from "./traffic.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly statistics: Statistics;
    readonly traffic: TrafficCounter;
  }
}

/** Counters of the day and the state of the installation. The domain of jobs stores the counters together with its own. */
export const statistics = definePlugin({
  id: "statistics",
  after: ["jobs"],
  operations: [adminStats, dashStats, searchStatHistory, adminResetDailyStats],
  services: { statistics: createStatistics, traffic: createTraffic },
  loops: [
    {
      name: "statistics.traffic",
      everySec: 5,
      on: "every-node",
      run: async (_now, { traffic }) => traffic.handOver(),
    },
  ],
  stop: async ({ traffic }) => traffic.handOver(),
});
