import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { activityCollection, activityTable } from "./collection.ts";
import type { activityRetention } from "./config.ts";
import type { ActivityEvents } from "./events.ts";
import { Activity } from "./model.ts";
import { searchActivity, searchRevisionHistory } from "./operations.ts";
import { type ActivityLog, createActivityLog } from "./service.ts";
import { type ActivityArchive, createActivityArchive, removeRow } from "./services/archive.ts";

declare module "../../kernel/config/config.ts" {
  interface RetentionConfig extends ConfigOf<typeof activityRetention> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends ActivityEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly activity: ActivityLog;
    readonly activityArchive: ActivityArchive;
  }
}

export const activity = definePlugin({
  id: "activity",
  collections: [activityCollection],
  transfer: { tables: { activity: { shape: Activity, newest: "epoch" } } },
  searchTables: {
    activity: { collection: activityCollection, table: activityTable, adminOnly: true, remove: removeRow },
  },
  operations: [searchActivity, searchRevisionHistory],
  services: { activity: createActivityLog, activityArchive: createActivityArchive },
  maintenance: {
    "Activity log": (now, { activityArchive }, signal) => activityArchive.maintain(now, signal, true),
  },
  loops: [
    {
      name: "activity.left_out",
      everySec: 5,
      on: "every-node",
      run: (_now, { apart }) => apart.note(),
      isIdle: (_now, { apart }) => apart.isIdle(),
    },
    {
      name: "activity.maintenance",
      everySec: 60,
      on: "leader",
      run: (now, { activityArchive }, signal) => activityArchive.maintain(now, signal),
    },
  ],
});
