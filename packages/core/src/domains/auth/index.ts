import { definePlugin } from "../../kernel/plugin.ts";
import { PRIVILEGES } from "./rules/privileges.ts";
import { createGatekeeper } from "./service.ts";

export const auth = definePlugin({
  id: "auth",
  privileges: PRIVILEGES,
  services: { gatekeeper: createGatekeeper },
});
