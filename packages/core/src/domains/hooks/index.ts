import { definePlugin } from "../../kernel/plugin.ts";
import { createSystemHooks, TELL_HOOK } from "./service.ts";

export const hooks = definePlugin({
  id: "hooks",
  services: { hooks: createSystemHooks },
  workers: { [TELL_HOOK]: (item, cradle, signal) => cradle.hooks.worker(item, cradle, signal) },
});
