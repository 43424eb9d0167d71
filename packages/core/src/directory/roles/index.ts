import { insertMissing, seedOnce } from "../../kernel/definitions/seed.ts";
import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { roleCollection } from "./collection.ts";
import { Role } from "./model.ts";
import { createRole, deleteRole, getRole, getRoles, updateRole } from "./operations.ts";
import { ALL_USERS, newRole } from "./rules.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"role"> {}
}

export const roles = definePlugin({
  id: "roles",
  after: ["auth", "activity", "users"],
  collections: [roleCollection],
  transfer: {
    lists: {
      roles: {
        collection: roleCollection,
        shape: Role,
        definition: "role",
        take: (members) => ({ privileges: {}, categories: [], groups: [], ...members }),
      },
    },
  },
  operations: [getRoles, getRole, createRole, updateRole, deleteRole],
  start: (cradle) =>
    seedOnce(cradle, "roles", async (unit) => {
      const stamp = { id: "all", username: "admin", now: Math.floor(cradle.clock.now()) };
      for (const role of await insertMissing(unit, roleCollection, [newRole(ALL_USERS, stamp)]))
        unit.audit("role_create", { role });
    }),
});
