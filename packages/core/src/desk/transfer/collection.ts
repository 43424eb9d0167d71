import { defineCollection } from "../../ports/collection.ts";
import type { TransferToken } from "./model.ts";

/** Not resident: whoever shows a token first, on whatever node, takes it away. */
export const tokenCollection = defineCollection<TransferToken>({
  name: "transfer_tokens",
  noun: "Transfer Token",
  columns: { expires: { type: "integer", read: ({ expires }) => expires } },
});
