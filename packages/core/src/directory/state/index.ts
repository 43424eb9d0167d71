import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { stateCollection } from "./collection.ts";
import { updateGlobalState } from "./operations.ts";
import { createGlobalState, type GlobalState } from "./service.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly state: GlobalState;
  }
}

export const state = definePlugin({
  id: "state",
  after: ["auth", "activity"],
  collections: [stateCollection],
  operations: [updateGlobalState],
  services: { state: createGlobalState },
});
