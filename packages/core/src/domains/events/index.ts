import { definePlugin } from "../../kernel/plugin.ts";
import { eventCollection, eventStateCollection } from "./collection.ts";
import { createEvent } from "./operations/create.ts";
import { deleteEvent } from "./operations/delete.ts";
import { getEvent, getEvents } from "./operations/read.ts";
import { runEvent } from "./operations/run.ts";
import { updateEvent } from "./operations/update.ts";
import { createEventChecks } from "./services/checks.ts";
import { syncHostEvents } from "./services/host-events.ts";
import { createScheduler } from "./services/scheduler.ts";

export const events = definePlugin({
  id: "events",
  after: ["auth", "activity", "tags", "categories", "plugins"],
  collections: [eventCollection, eventStateCollection],
  operations: [getEvents, getEvent, createEvent, updateEvent, deleteEvent, runEvent],
  services: { eventChecks: createEventChecks, scheduler: createScheduler },
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
});
