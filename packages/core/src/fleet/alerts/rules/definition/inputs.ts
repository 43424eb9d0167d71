import * as z from "zod";
import { actionList } from "../../../../wire/entries/action-shape.ts";
import { type Check, isFlag, isIdList, isOneOf, isText, isWithin, orAbsent } from "../../../../wire/fields/checks.ts";
import { Id, Title } from "../../../../wire/fields/fields.ts";
import { sentRevision } from "../../../../wire/fields/revision.ts";
import { type NewStamp, newStamps } from "../../../../wire/fields/stamps.ts";
import { filled } from "../../../../wire/schemas/filled.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";
import { shownMembers } from "../../../../wire/schemas/shown-members.ts";
import { isTenant } from "../../../../wire/tenant.ts";
import { Alert } from "../../model.ts";
import { isSeverity } from "./severity.ts";
import { KINDS } from "./subjects.ts";

const Actions = actionList();

const Text = z.string().regex(/\S/);

/** Further members are checked by `invalidField`, whose errors carry the domain's code. */
const further = {
  ...shownMembers(Alert, [
    "enabled",
    "samples",
    "groups",
    "subject",
    "monitor_id",
    "limit_jobs",
    "abort_jobs",
    "exclusive_actions",
  ]),
  ...shownMembers(Alert, ["severity", "for", "keep_firing_for", "recovery", "on_error", "no_data"]),
  ...shownMembers(Alert, ["family", "notice_after", "flap_count", "flap_window", "depends_on", "inhibits", "outage"]),
  ...shownMembers(Alert, ["categories", "subject_tags"]),
  ...shownMembers(Alert, ["repeat_minutes", "tags", "icon", "notes", "tenant"]),
};

export const CreateAlert = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  expression: Text,
  message: Text,
  actions: Actions.nullish(),
  ...further,
}));
export type CreateAlert = z.infer<typeof CreateAlert>;

export const UpdateAlert = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  title: Title.optional(),
  expression: Text.optional(),
  message: Text.optional(),
  actions: Actions.nullish(),
  ...further,
}));

/** Minutes (30 days). */
const MAX_REPEAT = 43_200;
/** Seconds (a week). */
export const MAX_PATIENCE = 604_800;

const DAY = 86_400;
/** Most ids per list; every firing looks at each of them. */
const MAX_RELATED = 20;

const isShortIdList: Check = (value) => isIdList(value) && (value as readonly unknown[]).length <= MAX_RELATED;

const FIELDS: Readonly<Record<string, Check>> = {
  title: isText,
  expression: isText,
  message: isText,
  enabled: orAbsent(isFlag),
  samples: orAbsent((value) => Number.isInteger(value) && Number(value) >= 1),
  actions: orAbsent(Array.isArray),
  groups: orAbsent(isIdList),
  monitor_id: orAbsent(isText),
  subject: orAbsent(isOneOf(KINDS)),
  categories: orAbsent(isIdList),
  subject_tags: orAbsent(isIdList),
  severity: orAbsent(isSeverity),
  for: orAbsent(isWithin(0, MAX_PATIENCE)),
  keep_firing_for: orAbsent(isWithin(0, MAX_PATIENCE)),
  recovery: orAbsent(isText),
  on_error: orAbsent(isOneOf(["false", "keep"])),
  no_data: orAbsent(isOneOf(["stale", "keep"])),
  family: orAbsent((value) => typeof value === "string" && /^\w{0,64}$/.test(value)),
  notice_after: orAbsent(isWithin(0, DAY)),
  flap_count: orAbsent((value) => value === 0 || isWithin(2, 20)(value)),
  flap_window: orAbsent(isWithin(600, DAY)),
  depends_on: orAbsent(isShortIdList),
  inhibits: orAbsent(isShortIdList),
  outage: orAbsent(isFlag),
  repeat_minutes: orAbsent(isWithin(0, MAX_REPEAT)),
  tags: orAbsent(isIdList),
  limit_jobs: orAbsent(isFlag),
  abort_jobs: orAbsent(isFlag),
  exclusive_actions: orAbsent(isFlag),
  icon: orAbsent(isText),
  notes: orAbsent(isText),
  tenant: isTenant,
};

/** The first invalid member of a definition. */
export function invalidField(alert: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(FIELDS).find((field) => !FIELDS[field]?.(alert[field]));
}

/** Compilers of expressions and messages; each returns an error text, or undefined. */
export interface Sources {
  readonly expressionFault: (expression: string) => string | undefined;
  readonly messageFault: (message: string) => string | undefined;
}

/** The sentence with which a definition is refused because of its own members; undefined when it can be stored. */
export function definitionFault(alert: Alert, { expressionFault, messageFault }: Sources): string | undefined {
  const field = invalidField(alert);
  if (field) return `Invalid value for ${field}`;
  const expression = expressionFault(alert.expression);
  if (expression !== undefined) return `Failed to compile alert expression: ${alert.id}: ${expression}`;
  const recovery = alert.recovery ? expressionFault(alert.recovery) : undefined;
  if (recovery !== undefined) return `Failed to compile recovery expression: ${alert.id}: ${recovery}`;
  const message = messageFault(alert.message);
  return message === undefined ? undefined : `Failed to compile macros in alert message: ${alert.id}: ${message}`;
}

/** Members for which numeric text is accepted. */
const COUNTS = [
  "samples",
  "repeat_minutes",
  "for",
  "keep_firing_for",
  "notice_after",
  "flap_count",
  "flap_window",
] as const;

/** The numeric members of a definition, parsed if they were sent as text. */
export const readCounts = (sent: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(COUNTS.flatMap((member) => (member in sent ? [[member, readCount(sent[member])]] : [])));

export function readCount(value: unknown): unknown {
  return typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
}

export function newAlert(input: CreateAlert, stamp: NewStamp): Alert {
  const members = filled(input as CreateAlert & Partial<Alert>, { enabled: true, samples: 1, actions: [], groups: [] });
  return {
    ...members,
    ...readCounts(members),
    id: stamp.id,
    ...newStamps(stamp.username, stamp.now),
  };
}
