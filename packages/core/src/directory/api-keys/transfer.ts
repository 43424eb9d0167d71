import type { Transfer } from "../../kernel/plugins/transfer.ts";
import { apiKeyCollection } from "./collection.ts";
import { ApiKey } from "./model.ts";

export const apiKeyTransfer: Transfer = {
  lists: {
    api_keys: {
      collection: apiKeyCollection,
      shape: ApiKey,
      definition: "api_key",
      take: (members) => ({ privileges: {}, ...members }),
      mustStay: async (_tx, leaving, caller) => (caller?.kind === "key" && leaving.has(caller.id) ? [caller.id] : []),
    },
  },
};
