import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import { updateRecord } from "../../../wire/stamps.ts";
import { eventCollection, eventStateCollection } from "../../events/collection.ts";
import { type Event, UpdateEvent } from "../../events/model.ts";
import { eventHistoryCollection } from "../collection.ts";
import type { Job } from "../model.ts";

/** Members of an event that a job may never change (part 31 §21). */
const FIXED: readonly string[] = ["id", "type", "username", "created", "workflow"];

/** What a job asked for at its end: change or delete its event, clear an alert. Returns lines for the meta log. */
export async function applyDeferred(cradle: Pick<Cradle, "alerts" | "clock">, unit: Unit, job: Job): Promise<string[]> {
  const clear = job["clear_alert"];
  if (typeof clear === "string") await cradle.alerts.clear(unit, clear);
  if (job["delete_event"]) return deleteEvent(unit, job);
  const change = job["update_event"];
  return change === undefined ? [] : updateEvent(unit, job, { change, now: Math.floor(cradle.clock.now()) });
}

async function deleteEvent({ tx, audit, emit }: Unit, { event: id, id: job }: Job): Promise<string[]> {
  const events = tx.collection(eventCollection);
  const event = await events.get(id);
  if (!event) return [];
  await events.delete(id);
  await tx.collection(eventStateCollection).delete(id);
  await tx.collection(eventHistoryCollection).delete(id);
  audit("event_delete", { event, reason: "job", job });
  emit("event.deleted", { id });
  return [`Event was deleted: ${event.title}`];
}

interface Change {
  readonly change: unknown;
  readonly now: number;
}

async function updateEvent({ tx, audit, emit }: Unit, job: Job, { change, now }: Change): Promise<string[]> {
  const events = tx.collection(eventCollection);
  const stored = await events.get(job.event);
  if (!stored) return [];
  const sent = Object.fromEntries(Object.entries(Object(change)).filter(([member]) => !FIXED.includes(member)));
  const checked = UpdateEvent.safeParse({ id: job.event, ...sent });
  if (!checked.success) return [`WARNING: Ignoring malformed update of the event: ${Object.keys(sent).join(", ")}`];
  const event = await events.update(job.event, (current): Event => updateRecord(current, checked.data, now));
  audit("event_update", { event, reason: "job", job: job.id });
  emit("event.updated", { id: event.id });
  return [];
}
