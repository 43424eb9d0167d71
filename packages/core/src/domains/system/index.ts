import { definePlugin } from "../../kernel/plugin.ts";
import { echo, error, ping } from "./operations.ts";
import { createLookups } from "./service.ts";

export const system = definePlugin({
  id: "system",
  operations: [ping, error, echo],
  services: { lookups: createLookups },
});
