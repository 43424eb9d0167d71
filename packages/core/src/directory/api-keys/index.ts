import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { apiKeyCollection } from "./collection.ts";
import { createApiKey, deleteApiKey, getApiKey, getApiKeys, updateApiKey } from "./operations.ts";
import { type Bootstrap, createBootstrap } from "./services/bootstrap.ts";
import { createRoleHolders, type RoleHolders } from "./services/role-holders.ts";
import { apiKeyTransfer } from "./transfer.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"api_key"> {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly bootstrap: Bootstrap;
    readonly roleHolders: RoleHolders;
  }
}

export const apiKeys = definePlugin({
  id: "api-keys",
  after: ["auth", "activity"],
  collections: [apiKeyCollection],
  transfer: apiKeyTransfer,
  operations: [getApiKeys, getApiKey, createApiKey, updateApiKey, deleteApiKey],
  services: { bootstrap: createBootstrap, roleHolders: createRoleHolders },
  start: ({ bootstrap }) => bootstrap.ensureAdministrator(),
});
