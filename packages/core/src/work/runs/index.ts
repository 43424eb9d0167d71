import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { runsClientConfig, runsConfig } from "./config.ts";
import { form, formConfig } from "./operations/form.ts";
import { magic } from "./operations/magic.ts";
import { getEvent } from "./operations/read.ts";
import { runEvent } from "./operations/run.ts";
import { createInputFiles, EXPIRE_KIND, expireFiles, type InputFiles } from "./services/input-files.ts";
import { createMagicLinks, type MagicLinks } from "./services/magic-links.ts";
import { createEventRuns, type EventRuns } from "./services/runs.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof runsConfig> {}
  interface ClientConfig extends ConfigOf<typeof runsClientConfig> {}
}
declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly eventRuns: EventRuns;
    readonly inputFiles: InputFiles;
    readonly magicLinks: MagicLinks;
  }
}

/** Runs of events on demand, launched by a person, a key, a link or another domain. */
export const runs = definePlugin({
  id: "runs",
  after: ["events"],
  operations: [getEvent, runEvent, magic, form, formConfig],
  services: { eventRuns: createEventRuns, inputFiles: createInputFiles, magicLinks: createMagicLinks },
  workers: { [EXPIRE_KIND]: expireFiles },
});
