import type { Reach } from "../../../directory/access/model.ts";
import { requireAccess } from "../../../directory/access/require-access.ts";
import { type Actor, systemActor } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { AccessError, DomainError, InputError } from "../../../kernel/errors/errors.ts";
import { HookRefusal } from "../../../kernel/plugins/hooks.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { checkCommonParameters } from "../../../wire/fields/common.ts";
import { isReservedWord } from "../../../wire/fields/reserved.ts";
import { type Event, UpdateEvent } from "../../events/model.ts";
import { eventRecords as storedEvents } from "../../events/records.ts";
import { keepLocked } from "../../events/rules/record/locked.ts";
import { findStep, mergeEvent } from "../../events/rules/record/write.ts";
import type { ActiveJob, Job } from "../model.ts";

/** Members of an event that a job may never change (docs/contract/jobs.md#deferred-effects). */
const FIXED: ReadonlySet<string> = new Set(["id", "type", "username", "created", "workflow"]);

type Deps = Pick<Cradle, "alerts" | "clock" | "eventChecks" | "eventRecords" | "hooked" | "references" | "servers">;

/**
 * Executes what a job has requested for its end: changing or deleting its event, clearing an alert, storing server data. Returns
 * lines for the meta log; no failure here may keep the job from ending.
 */
export async function applyDeferred(deps: Deps, unit: Unit, record: ActiveJob): Promise<string[]> {
  const { job } = record;
  const clear = job.clear_alert;
  if (typeof clear === "string") await deps.alerts.clear(unit, clear);
  const notes = await mergeServerData(deps, unit, record);
  if (job.delete_event) return [...notes, ...(await deleteEvent(deps, unit, job))];
  const change = job.update_event;
  return change === undefined ? notes : [...notes, ...(await updateEvent(deps, unit, { record, change }))];
}

type Members = Readonly<Record<string, unknown>>;

async function mergeServerData({ servers }: Deps, unit: Unit, { job, details }: ActiveJob): Promise<string[]> {
  const data = details["serverData"];
  const sent = isObject(data) ? Object.entries(data).filter(([key]) => !isReservedWord(key)) : [];
  if (job.server === undefined || sent.length === 0) return [];
  const isMerged = await servers.mergeUserData(unit, job.server, Object.fromEntries(sent));
  return isMerged ? [] : ["WARNING: Ignoring data for the server: it is too large"];
}

async function deleteEvent({ eventRecords, hooked }: Deps, unit: Unit, { event: id, id: job }: Job): Promise<string[]> {
  const event = await eventRecords.read(unit.tx, id);
  if (!event) return [];
  try {
    await hooked(unit, {
      operation: "delete_event",
      input: { id },
      async change() {
        await eventRecords.remove(unit, event, { reason: "job", job });
        return {};
      },
    });
    return [`Event was deleted: ${event.title}`];
  } catch (error) {
    if (!(error instanceof HookRefusal)) throw error;
    return [`WARNING: The event was not deleted: ${error.message}`];
  }
}

const NO_ADMINISTRATOR: Actor = { ...systemActor, privileges: {} };

interface EventUpdate {
  readonly record: ActiveJob;
  readonly change: unknown;
}

/** Changes the event, with the checks of a call of update_event by a caller who is no administrator. */
async function updateEvent(deps: Deps, unit: Unit, { record, change }: EventUpdate): Promise<string[]> {
  const { eventChecks, eventRecords, hooked } = deps;
  const { job, reach } = record;
  const stored = await eventRecords.read(unit.tx, job.event);
  if (!stored) return [];
  const ignored = (reason: string): string[] => [`WARNING: Ignoring malformed update of the event: ${reason}`];
  if (!isObject(change)) return ignored("not an object");
  try {
    await hooked(unit, {
      operation: "update_event",
      input: { ...change, id: stored.id },
      async change(input) {
        const event = await mergedEvent(deps, unit, { stored, input, reach });
        await eventChecks.check({ actor: NO_ADMINISTRATOR, tx: unit.tx }, event);
        await eventRecords.replace(unit, event, { reason: "job", job: job.id });
        return { event };
      },
    });
    return [];
  } catch (error) {
    if (error instanceof HookRefusal) return [`WARNING: The event was not changed: ${error.message}`];
    if (error instanceof InputError || error instanceof DomainError || error instanceof AccessError)
      return ignored(error.description);
    throw error;
  }
}

interface Merging {
  readonly stored: Event;
  readonly input: Members;
  /** Restrictions of the caller who launched the job. */
  readonly reach: Reach | undefined;
}

/** Throws `AccessError` when a limited caller's job would move the event, or refer to something, beyond that caller's reach. */
async function mergedEvent(
  { clock, eventChecks, references }: Deps,
  { tx }: Unit,
  { stored, input, reach }: Merging,
): Promise<Event> {
  const change = checkedChange(stored, input);
  const merged = mergeEvent(stored, change, Math.floor(clock.now()));
  if (reach) {
    const actor = { ...NO_ADMINISTRATOR, ...reach };
    requireAccess(actor, { category: merged.category, targets: merged.targets });
    await references.check({ actor, tx }, storedEvents, merged);
  }
  if ((change.params ?? null) === null) return merged;
  const definitions = await eventChecks.pluginParams(tx, merged.plugin);
  const kept = merged.plugin === stored.plugin ? stored.params : undefined;
  return { ...merged, params: keepLocked(definitions, merged.params, kept).params };
}

function checkedChange(stored: Event, change: Members): UpdateEvent {
  const sent = Object.entries(checkCommonParameters(change)).filter(([member]) => !FIXED.has(member));
  const checked = UpdateEvent.safeParse({ ...Object.fromEntries(sent), id: stored.id });
  if (!checked.success) throw new InputError(checked.error.issues[0]?.message ?? "not an event");
  const step = findStep(stored, checked.data);
  if (step !== undefined) throw new InputError(`Malformed parameter value: ${step}`);
  return checked.data;
}
