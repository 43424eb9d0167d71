import { defineCollection } from "../../ports/collection.ts";
import type { Event, EventState } from "./model.ts";

export const eventCollection = defineCollection<Event>({ name: "events", noun: "Event", resident: true });

export const eventStateCollection = defineCollection<EventState>({ name: "event_states", noun: "Event State" });
