import { definePlugin } from "../../kernel/plugin.ts";
import { eventCollection, eventStateCollection } from "./collection.ts";
import type { EventEvents } from "./events.ts";
import { createEvent } from "./operations/create.ts";
import { deleteEvent } from "./operations/delete.ts";
import { explainEventRun } from "./operations/explain.ts";
import { form, formConfig } from "./operations/form.ts";
import { getEventHistory } from "./operations/history.ts";
import { magic } from "./operations/magic.ts";
import { previewEvent } from "./operations/preview.ts";
import { getEvent, getEvents } from "./operations/read.ts";
import { runEvent } from "./operations/run.ts";
import { updateEvent } from "./operations/update.ts";
import { createEventChecks, type EventChecks } from "./services/checks.ts";
import { syncHostEvents } from "./services/host-events.ts";
import { createInputFiles, EXPIRE_KIND, expireFiles, type InputFiles } from "./services/input-files.ts";
import { createMagicLinks, type MagicLinks } from "./services/magic-links.ts";
import { createEventRuns, type EventRuns } from "./services/runs.ts";
import { createScheduler, type Scheduler } from "./services/scheduler.ts";

declare module "../../kernel/events.ts" {
  interface SignalboxEvents extends EventEvents {}
}

declare module "../../kernel/services.ts" {
  interface Services {
    readonly eventChecks: EventChecks;
    readonly eventRuns: EventRuns;
    readonly inputFiles: InputFiles;
    readonly magicLinks: MagicLinks;
    readonly scheduler: Scheduler;
  }
}

export const events = definePlugin({
  id: "events",
  after: ["auth", "activity", "tags", "categories", "plugins"],
  collections: [eventCollection, eventStateCollection],
  operations: [
    getEvents,
    getEvent,
    getEventHistory,
    createEvent,
    updateEvent,
    deleteEvent,
    runEvent,
    magic,
    form,
    formConfig,
    previewEvent,
    explainEventRun,
  ],
  services: {
    eventChecks: createEventChecks,
    eventRuns: createEventRuns,
    inputFiles: createInputFiles,
    magicLinks: createMagicLinks,
    scheduler: createScheduler,
  },
  workers: { [EXPIRE_KIND]: expireFiles },
  loops: [
    {
      name: "scheduler",
      everySec: 60,
      on: "leader",
      run: (now, { scheduler }, signal) => scheduler.run(now, signal),
    },
  ],
  async start(cradle) {
    await syncHostEvents(cradle);
    cradle.scheduler.begin(cradle.clock.now());
  },
  stop: ({ scheduler }) => scheduler.stop(),
});
