import * as z from "zod";
import { Field } from "../../directory/plugins/model.ts";
import { knownFields } from "../../directory/plugins/rules/parameters/field-members.ts";
import type { ActionInputs } from "../../wire/entries/action-types.ts";
import { Action, Limit } from "../../wire/entries/actions-and-limits.ts";
import { knownActions, knownLimits } from "../../wire/entries/entry-members.ts";
import type { LimitInputs } from "../../wire/entries/limit-types.ts";
import { Flag, Id, lenient, Title, WordId } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { reporting } from "../../wire/issues.ts";
import type { Filled } from "../../wire/schemas/filled.ts";
import { type Known, knowing } from "../../wire/schemas/known-members.ts";
import { named } from "../../wire/schemas/named.ts";
import { looseObject } from "../../wire/schemas/objects.ts";
import { type Shown, shown, shownMembers } from "../../wire/schemas/shown-members.ts";
import { tenantField } from "../../wire/tenant.ts";
import { shownGraph } from "../graphs/rules/graph-members.ts";
import { checkEventShape } from "./rules/record/event-shape.ts";
import { Expect, ExpectInput } from "./rules/record/expect.ts";
import { knownTriggers } from "./rules/triggers/trigger-members.ts";
import type { TriggerInputs } from "./rules/triggers/trigger-types.ts";

const open = z.record(z.string(), z.unknown());
const texts = z.array(z.string());

/** When an event runs, or what changes its times (docs/contract/schedules.md#triggers). */
export const Trigger = looseObject(() => ({ type: z.string(), enabled: Flag.optional() }));
export type Trigger = z.infer<typeof Trigger>;

/** A definition of work: plugin, targets and triggers (docs/contract/events.md#record). */
export const Event = named(
  "Event",
  looseObject(() => ({
    id: Id,
    title: z.string(),
    enabled: Flag,
    type: z.string().nullish(),
    category: z.string(),
    /** Begins with an underscore when the engine itself runs the event. */
    plugin: z.string(),
    /** Values for the parameters of the plugin and for `fields`. */
    params: open.nullish(),
    /** Parameters that people are asked for. */
    fields: z.array(Field).nullish(),
    tags: texts.nullish(),
    /** Ids of servers and groups. */
    targets: texts,
    expression: z.string().nullish(),
    /** Absent in workflows. */
    algo: z.string().optional(),
    triggers: z.array(Trigger).nullish(),
    limits: z.array(Limit).nullish(),
    actions: z.array(Action).nullish(),
    notes: z.string().nullish(),
    icon: z.string().nullish(),
    /** What happens to a run while another one is active: `all`, `queue`, `skip` or `replace`. Ours. */
    overlap: z.string().nullish(),
    /** While a job of the event is active on a server, no notices are sent for alerts there. */
    silence_alerts: Flag.nullish(),
    /** Expectations by which alerts on events judge it. Ours. */
    expect: Expect.nullish(),
    ...stampFields,
    revision: z.int(),
    /** For events of the host program: fingerprint of the definition in code. */
    definition: z.string().optional(),
    /** Changes when `fields`, `plugin` or the parameters of a host's function are redefined; absent on older events. */
    params_version: z.number().optional(),
    ...tenantField,
  })),
);
export type StoredEvent = z.infer<typeof Event>;
/** Values of an event's members that are `null` or absent. */
export const EVENT_DEFAULTS = { params: {}, fields: [], triggers: [], limits: [], actions: [] };
/** An event as rules read it. */
export type Event = Filled<StoredEvent, keyof typeof EVENT_DEFAULTS>;

/** History of an event's jobs, for the scheduler and for lists (docs/contract/events.md#state). */
export type EventHistory = {
  id: string;
  /** Next index for the algorithm `round_robin`. */
  readonly robin?: number;
  readonly last_job?: string;
  readonly last_code?: number | string;
  /** End of the last job, in whole Unix seconds. */
  readonly last_completed?: number;
  /** Seconds. */
  readonly total_elapsed?: number;
  readonly total_count?: number;
};

/** The scheduler's state of an event (docs/contract/events.md#state); the id is the event's. */
export const EventState = looseObject(() => ({
  id: z.string(),
  /** Catch-up position: the last minute that was evaluated, Unix seconds. */
  cursor: z.number().optional(),
  /** Due minutes until the next run of an every-nth modifier. */
  nth: z.number().optional(),
  /** Last minute that had a due trigger, Unix seconds; it is never evaluated again. */
  seen: z.number().optional(),
  /** Number of times that a caller moved the cursor; the runs of each replay count as new. */
  replay: z.number().optional(),
  /** Due runs that wait for the decision of a scheduler plugin. */
  pending: z
    .array(z.object({ key: z.string(), now: z.number(), until: z.number().optional(), tries: z.int() }))
    .optional(),
  /** For the whole scheduler: the pass in progress, or the one in which its engine died. Whole minutes, as in a window. */
  begun: z.object({ from: z.number(), to: z.number(), since: z.number().optional() }).optional(),
  /** For the whole scheduler: minutes that no node evaluated, oldest first, both ends inclusive. */
  gaps: z.array(z.object({ from: z.number(), to: z.number(), reason: z.enum(["down", "paused"]) })).optional(),
}));
export type PendingRun = NonNullable<EventState["pending"]>[number];
export type Gap = NonNullable<EventState["gaps"]>[number];
export type EventState = z.infer<typeof EventState>;

/** Id of the state that holds the last minute evaluated for all events; no event can have this id. */
export const CURSOR = "*";

/** Boolean, number, or text as scripts send it: `^(\d+|true|false)$`. Text becomes a number or a boolean. */
const Enabled = lenient(
  (value) => {
    if (value === "true" || value === "false") return value === "true";
    return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  },
  z.union([z.boolean(), z.int().nonnegative()]),
);

/** Checked by `checkEventShape`, whose error texts differ from the general ones. */
const shownList = <List>(known: Known) => knowing(shown(z.array(z.looseObject({}))), known) as Shown<List | null>;
const members = () => ({
  ...shownMembers(Event, ["plugin", "params", "tags", "targets", "expression", "algo", "notes", "icon"]),
  ...shownMembers(Event, ["type", "silence_alerts", "tenant"]),
  expect: shown(ExpectInput.nullable()),
  fields: shownList<readonly z.input<typeof Field>[]>(knownFields),
  overlap: shown(z.enum(["all", "queue", "skip", "replace"])),
  triggers: shownList<TriggerInputs>(knownTriggers),
  limits: shownList<LimitInputs>(knownLimits),
  actions: shownList<ActionInputs>(knownActions),
  workflow: shownGraph(),
  update_state: shown(open.nullish()),
});

const shape = (options: { sparse: boolean }) =>
  reporting((event: Readonly<Record<string, unknown>>) => checkEventShape(event, options));

export const CreateEvent = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  enabled: Enabled,
  category: WordId,
  ...members(),
})).superRefine(shape({ sparse: false }));
export type CreateEvent = z.infer<typeof CreateEvent>;

export const UpdateEvent = looseObject(() => ({
  id: Id,
  title: Title.optional(),
  enabled: Enabled.optional(),
  category: WordId.optional(),
  if_revision: sentRevision,
  revision: sentRevision,
  ...members(),
})).superRefine(shape({ sparse: true }));
export type UpdateEvent = z.infer<typeof UpdateEvent>;
