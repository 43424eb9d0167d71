import { defineCollection } from "../../ports/storage/collection.ts";
import type { TransferToken } from "./model.ts";

/** Not resident: the first call with a token takes it away, on any node. */
export const tokenCollection = defineCollection<TransferToken>({
  name: "transfer_tokens",
  noun: "Transfer Token",
  columns: { expires: { type: "integer", read: ({ expires }) => expires } },
});
