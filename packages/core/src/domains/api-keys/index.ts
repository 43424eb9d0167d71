import { definePlugin } from "../../kernel/plugin.ts";
import { createBootstrap } from "./bootstrap.ts";
import { apiKeyCollection } from "./collection.ts";
import { createApiKey, deleteApiKey, getApiKey, getApiKeys, updateApiKey } from "./operations.ts";

export const apiKeys = definePlugin({
  id: "api-keys",
  after: ["auth", "activity"],
  collections: [apiKeyCollection],
  operations: [getApiKeys, getApiKey, createApiKey, updateApiKey, deleteApiKey],
  services: { bootstrap: createBootstrap },
  start: ({ bootstrap }) => bootstrap.ensureAdministrator(),
});
