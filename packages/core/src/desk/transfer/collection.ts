import { defineCollection } from "../../ports/storage/collection.ts";
import type { TransferToken } from "./model.ts";

/** Not kept in memory: the first call with a token consumes it, on any node. */
export const tokenCollection = defineCollection<TransferToken>({
  name: "transfer_tokens",
  noun: "Transfer Token",
  columns: { expires: { type: "integer", read: ({ expires }) => expires } },
});
