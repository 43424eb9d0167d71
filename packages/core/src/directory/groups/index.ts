import { insertMissing, seedOnce } from "../../kernel/definitions/seed.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { groupCollection } from "./collection.ts";
import type { GroupEvents } from "./events.ts";
import { Group } from "./model.ts";
import {
  createGroup,
  deleteGroup,
  getGroup,
  getGroups,
  multiUpdateGroup,
  updateGroup,
} from "./operations/definitions.ts";
import { defaultGroups } from "./rules/presets.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends GroupEvents {}
}

export const groups = definePlugin({
  id: "groups",
  after: ["auth", "activity"],
  collections: [groupCollection],
  transfer: {
    lists: {
      groups: {
        collection: groupCollection,
        shape: Group,
        sorted: true,
        definition: "group",
        take: (members) => ({ hostname_match: "", alert_actions: [], ...members }),
      },
    },
  },
  operations: [getGroups, getGroup, createGroup, updateGroup, deleteGroup, multiUpdateGroup],
  start: (cradle) =>
    seedOnce(cradle, "groups", async (unit) => {
      const groups = defaultGroups(Math.floor(cradle.clock.now()));
      for (const group of await insertMissing(unit, groupCollection, groups)) unit.audit("group_create", { group });
    }),
});
