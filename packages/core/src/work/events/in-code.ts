import { filterMembers } from "../../lib/json/filter-members.ts";
import { isObject } from "../../lib/json/is-object.ts";
import type { ActionInput } from "../../wire/entries/action-types.ts";
import { knownActions, knownLimits } from "../../wire/entries/entry-members.ts";
import type { LimitInput } from "../../wire/entries/limit-types.ts";
import { unknownMembers } from "../../wire/schemas/known-members.ts";
import { type ExpectInput, expectFault, readExpect } from "./rules/record/expect.ts";
import { parseCron } from "./rules/triggers/cron.ts";
import { knownTriggers } from "./rules/triggers/trigger-members.ts";
import type { ScheduleInput, TriggerInput } from "./rules/triggers/trigger-types.ts";

type Members = Readonly<Record<string, unknown>>;

/** An entry of a list as code writes it: `enabled` may be left out, and is true then. */
export type Listed<Entry> = Entry extends unknown
  ? { readonly [Name in keyof Entry as Exclude<Name, "enabled">]: Entry[Name] } & {
      readonly enabled?: boolean | number;
    }
  : never;

/** One or more cron patterns of five fields or triggers, or a period in seconds counted from the epoch. */
export type EventSchedule = ScheduleEntry | readonly ScheduleEntry[] | { readonly every: number };
type ScheduleEntry = string | ScheduledTrigger;

/** A trigger that may omit its type if that is `schedule`. */
export type ScheduledTrigger = TriggerInput | ScheduleInput;

/** Members that `defineEvent` and `defineWorkflow` have in common. */
export interface CommonMembers {
  /** `^[a-z0-9_]+$` */
  readonly id: string;
  readonly title: string;
  /** Default: "general". */
  readonly category?: string;
  /** Values of parameters that a launch omits. */
  readonly defaults?: Members;
  readonly schedule?: EventSchedule;
  /** IANA name of the time zone of `schedule`: "Europe/Berlin". Default: `tz` of the configuration, or the process's zone. */
  readonly timezone?: string;
  /** Further triggers, besides the manual one that every event has. */
  readonly triggers?: readonly TriggerInput[];
  readonly limits?: readonly Listed<LimitInput>[];
  readonly actions?: readonly Listed<ActionInput>[];
  /** What a launch does while a job of the event runs. Default: `all`, they run beside each other. */
  readonly overlap?: "all" | "queue" | "skip" | "replace";
  /** What must happen, or an alert fires: `{ success_every: "26 hours" }`. Durations are seconds or text. */
  readonly expect?: Omit<ExpectInput, "from">;
  readonly tags?: readonly string[];
  /** Default: true. When absent, a person's choice survives changes of the code. */
  readonly enabled?: boolean;
  readonly notes?: string;
  /** While a job of the event is active on a server, no notices are sent for alerts there. */
  readonly silence_alerts?: boolean;
}

/** Where the jobs of an event run (docs/contract/events.md#choice-of-a-server). */
export interface Placement {
  /**
   * Ids of servers and groups. Default: `["local"]`, the local agent without an id. Local agents with ids, such as `localAgent({
   * id: "web1" })`, must be named here, or nothing runs.
   */
  readonly targets?: readonly string[];
  /** How one of the targets is chosen: `random` (default), `round_robin`, `fewest_jobs`, `prefer_first_natural` … */
  readonly algo?: string;
}

/** Plugin of events whose work is a function of the host. */
export const FUNCTION_PLUGIN = "_function";

/** Members that code may leave out, so that people may set them. */
export const OPTIONAL_MEMBERS: readonly (keyof CommonMembers)[] = [
  ...(["tags", "notes", "silence_alerts", "overlap", "expect"] as const),
];

/** Names of the members that `defineEvent` and `defineWorkflow` have in common. */
export const COMMON_NAMES: readonly (keyof CommonMembers)[] = [
  ...(["id", "title", "category", "defaults", "schedule", "timezone", "triggers", "limits"] as const),
  ...(["actions", "enabled"] as const),
  ...OPTIONAL_MEMBERS,
];

/** Refuses unknown members: a misspelt `schedule` would never launch anything. `form` shows the members that are needed. */
export function checkNames(definition: unknown, names: readonly string[], form: string): string | undefined {
  if (typeof definition !== "object" || definition === null) return `its definition must be an object: ${form}`;
  const unknown = Object.keys(definition).find((name) => !names.includes(name));
  return unknown && `there is no member ${JSON.stringify(unknown.slice(0, 50))}; it takes ${names.join(", ")}`;
}

const ENTRIES = new Map([
  ["schedule", knownTriggers],
  ["triggers", knownTriggers],
  ["limits", knownLimits],
  ["actions", knownActions],
]);

/** Refuses unknown members of entries: a schedule with a misspelt `hours` would launch in every hour. */
export function checkEntries(lists: { readonly [List in "schedule" | "triggers" | "limits" | "actions"]?: unknown }) {
  const unknown = unknownMembers(
    { members: ENTRIES },
    filterMembers({ ...lists }, (_list, value) => Array.isArray(value)),
  );
  return unknown && `there is no member ${unknown.join(", ")}`;
}

export function checkIdentity(id: unknown, title: unknown): string | undefined {
  if (typeof id !== "string" || !/^[a-z0-9_]{1,64}$/.test(id))
    return "Malformed parameter: id (up to 64 of a-z, 0-9 and _)";
  if (typeof title !== "string" || !/\S/.test(title) || /[<>]/.test(title))
    return "Malformed parameter: title (a text without < and >)";
  return undefined;
}

/** The first fault in members that are read before there is a record. */
export function checkCommon(definition: CommonMembers): string | undefined {
  const { schedule, timezone, triggers, limits, actions, expect } = definition;
  const times = scheduleTriggers(schedule);
  if (timezone !== undefined && !times.some(isSchedule)) return "timezone needs a schedule: a cron pattern, or times";
  return checkEntries({ schedule: times, triggers, limits, actions }) ?? expectFault(readExpect(expect));
}

export function recordOf(definition: CommonMembers & Placement): Record<string, unknown> {
  const { category, defaults, enabled, limits = [], actions = [], expect, targets, algo } = definition;
  return {
    plugin: FUNCTION_PLUGIN,
    category: category ?? "general",
    targets: targets ?? ["local"],
    algo: algo ?? "random",
    params: { ...defaults },
    fields: [],
    triggers: triggersOf(definition),
    limits: limits.map(listed),
    actions: actions.map(listed),
    ...filterMembers({ ...definition }, (name, value) => value !== undefined && isOptional(name)),
    ...(expect === undefined ? {} : { expect: readExpect(expect) }),
    ...(enabled === undefined ? {} : { enabled }),
  };
}

const isOptional = (name: string): boolean => (OPTIONAL_MEMBERS as readonly string[]).includes(name);

/** The entry with its default; anything else is left to the check of the record. */
export const listed = (entry: unknown): unknown => (isObject(entry) ? { enabled: true, ...entry } : entry);

function triggersOf({ schedule, timezone, triggers = [] }: CommonMembers): unknown[] {
  const zone = timezone === undefined ? {} : { timezone };
  const times = scheduleTriggers(schedule).map((trigger) => (isSchedule(trigger) ? { ...zone, ...trigger } : trigger));
  const own = [...times, ...triggers].map(listed);
  const manual = own.some((trigger) => isObject(trigger) && trigger["type"] === "manual");
  return manual ? own : [{ type: "manual", enabled: true }, ...own];
}

const isSchedule = (trigger: unknown): trigger is Members => isObject(trigger) && trigger["type"] === "schedule";

function scheduleTriggers(schedule: EventSchedule | undefined): readonly unknown[] {
  if (schedule === undefined) return [];
  const period = schedule as Members;
  if (isObject(period) && period["every"] !== undefined && period["type"] === undefined) {
    const { every, ...others } = period;
    return [{ type: "interval", start: 0, duration: every, ...others }];
  }
  return [schedule].flat().flatMap(triggersOfEntry);
}

const triggersOfEntry = (entry: ScheduleEntry | Members): readonly unknown[] =>
  typeof entry === "string" ? parseCron(entry) : [isObject(entry) ? { type: "schedule", ...entry } : entry];
