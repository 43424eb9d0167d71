import { definePlugin } from "../../kernel/plugin.ts";
import { activityCollection } from "./collection.ts";
import { searchActivity, searchRevisionHistory } from "./operations.ts";
import { createActivityLog } from "./service.ts";
import { createActivityArchive } from "./services/archive.ts";

export const activity = definePlugin({
  id: "activity",
  collections: [activityCollection],
  operations: [searchActivity, searchRevisionHistory],
  services: { activity: createActivityLog, activityArchive: createActivityArchive },
  loops: [
    {
      name: "activity.maintenance",
      everySec: 60,
      on: "leader",
      run: (now, { activityArchive }, signal) => activityArchive.maintain(now, signal),
    },
  ],
});
