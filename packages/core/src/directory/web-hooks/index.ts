import type { ConfigOf } from "../../kernel/config/config.ts";
import { insertMissing, seedOnce } from "../../kernel/definitions/seed.ts";
import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { webHookCollection, webHookCountCollection, webHookDeliveryCollection } from "./collection.ts";
import type { webHooksConfig } from "./config.ts";
import { WebHook } from "./model.ts";
import { createWebHook, deleteWebHook, getWebHook, getWebHooks, updateWebHook } from "./operations/definitions.ts";
import { getWebHookDeliveries, resendWebHookDelivery } from "./operations/deliveries.ts";
import { testWebHook } from "./operations/test-hook.ts";
import { EXAMPLE_HOOK, newWebHook } from "./rules/record.ts";
import { webHookAction } from "./services/action.ts";
import { createWebHookSender, type WebHookSender } from "./services/sender.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof webHooksConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"web_hook"> {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly webHooks: WebHookSender;
  }
}

export const webHooks = definePlugin({
  id: "web-hooks",
  after: ["auth", "activity"],
  collections: [webHookCollection, webHookCountCollection, webHookDeliveryCollection],
  transfer: {
    lists: {
      web_hooks: {
        collection: webHookCollection,
        shape: WebHook,
        definition: "web_hook",
        companions: [webHookCountCollection],
      },
    },
    own: [webHookCountCollection, webHookDeliveryCollection],
  },
  operations: [
    getWebHooks,
    getWebHook,
    createWebHook,
    updateWebHook,
    deleteWebHook,
    testWebHook,
    getWebHookDeliveries,
    resendWebHookDelivery,
  ],
  actionTypes: { web_hook: webHookAction },
  services: { webHooks: createWebHookSender },
  start: (cradle) =>
    seedOnce(cradle, "web_hooks", async (unit) => {
      const stamp = { id: "example_hook", username: "admin", now: Math.floor(cradle.clock.now()) };
      for (const web_hook of await insertMissing(unit, webHookCollection, [newWebHook(EXAMPLE_HOOK, stamp)]))
        unit.audit("web_hook_create", { web_hook });
    }),
});
