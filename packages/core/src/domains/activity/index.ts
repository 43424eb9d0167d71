import { definePlugin } from "../../kernel/plugin.ts";
import { activityCollection } from "./collection.ts";
import { createActivityLog } from "./service.ts";

export const activity = definePlugin({
  id: "activity",
  collections: [activityCollection],
  services: { activity: createActivityLog },
});
