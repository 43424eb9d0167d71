import type { ConfigOf } from "../../kernel/config/config.ts";
import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { eventCollection, eventHistoryCollection, eventStateCollection } from "./collection.ts";
import type { eventsClientConfig } from "./config.ts";
import { createEvent } from "./operations/create.ts";
import { deleteEvent } from "./operations/delete.ts";
import { getEventHistory } from "./operations/history.ts";
import { getEvents } from "./operations/read.ts";
import { updateEvent } from "./operations/update.ts";
import { createEventChecks, type EventChecks } from "./services/checks.ts";
import { syncHostEvents } from "./services/host-events.ts";
import { createEventRecords, type EventRecords } from "./services/records.ts";
import { createEventStates, type EventStates } from "./services/states.ts";
import { eventTransfer } from "./transfer.ts";

declare module "../../kernel/config/config.ts" {
  interface ClientConfig extends ConfigOf<typeof eventsClientConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"event"> {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly eventChecks: EventChecks;
    readonly eventRecords: EventRecords;
    readonly eventStates: EventStates;
  }
}

/** Events define work: plugin, targets and triggers. Jobs run it. */
export const events = definePlugin({
  id: "events",
  after: ["auth", "activity", "tags", "categories", "plugins", "graphs"],
  collections: [eventCollection, eventStateCollection, eventHistoryCollection],
  transfer: eventTransfer,
  operations: [getEvents, getEventHistory, createEvent, updateEvent, deleteEvent],
  services: { eventChecks: createEventChecks, eventRecords: createEventRecords, eventStates: createEventStates },
  start: (cradle) => syncHostEvents(cradle),
});
