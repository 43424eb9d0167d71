import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { silenceCollection } from "./collection.ts";
import { Silence } from "./model.ts";
import { createSilence, deleteSilence, getSilence, getSilences, updateSilence } from "./operations.ts";
import { createSilences, type SilenceService } from "./service.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"silence"> {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly silences: SilenceService;
  }
}

export const silences = definePlugin({
  id: "silences",
  after: ["auth", "activity", "jobs"],
  privileges: { silence_alerts: "Silence Alerts" },
  collections: [silenceCollection],
  transfer: { lists: { silences: { collection: silenceCollection, shape: Silence } } },
  operations: [getSilences, getSilence, createSilence, updateSilence, deleteSilence],
  services: { silences: createSilences },
  loops: [
    {
      name: "silences.forget",
      everySec: 3600,
      on: "leader",
      run: (now, { silences: service }) => service.forget(now),
    },
  ],
});
