import { defineCollection } from "../../ports/storage/collection.ts";
import { tenantTerm } from "../../wire/tenant.ts";
import type { EventHistory, EventState, StoredEvent } from "./model.ts";

export const eventCollection = defineCollection<StoredEvent>({
  name: "events",
  noun: "Event",
  resident: true,
  terms: { tenant: tenantTerm },
});

export const eventStateCollection = defineCollection<EventState>({ name: "event_states", noun: "Event State" });

export const eventHistoryCollection = defineCollection<EventHistory>({ name: "event_history", noun: "Event History" });
