import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { hooksConfig } from "./config.ts";
import { createSystemHooks, type SystemHooks, TELL_HOOK } from "./service.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof hooksConfig> {}
}
declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly hooks: SystemHooks;
  }
}

export const hooks = definePlugin({
  id: "hooks",
  services: { hooks: createSystemHooks },
  workers: { [TELL_HOOK]: (item, cradle, signal) => cradle.hooks.worker(item, cradle, signal) },
});
