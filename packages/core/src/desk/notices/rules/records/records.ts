import * as z from "zod";
import { isSeverity } from "../../../../fleet/alerts/rules/definition/severity.ts";
import { KINDS } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { recurrenceFault } from "../../../../fleet/silences/rules/record.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { isKnownZone } from "../../../../lib/time/calendar.ts";
import { type Check, isFlag, isNumber, isOneOf, isText, isWithin, orAbsent } from "../../../../wire/fields/checks.ts";
import { Id, Title } from "../../../../wire/fields/fields.ts";
import { updateMembers } from "../../../../wire/fields/revision.ts";
import { type NewStamp, newStamps } from "../../../../wire/fields/stamps.ts";
import { createFill, filled } from "../../../../wire/schemas/filled.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";
import { shownMembers, shownRequired } from "../../../../wire/schemas/shown-members.ts";
import { FORMATS, RECEIVER_TYPES, Receiver, Route, type StoredRoute } from "../../model.ts";
import { areSettingsGood, isService } from "../providers/settings.ts";
import { ROUTE_DEFAULTS } from "../routing/records.ts";
import { SECRET_SETTINGS, SETTINGS } from "../texts/presets.ts";

const ofReceiver = shownMembers(Receiver, [
  ...([
    "type",
    "enabled",
    "users",
    "email",
    "channel",
    "web_hook",
    "rota",
    "format",
    "settings",
    "fallback",
    "max_per_hour",
    "ack_links",
    "icon",
    "notes",
  ] as const),
]);
const { type: _immutable, ...changeable } = ofReceiver;
export const CreateReceiver = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  ...ofReceiver,
  type: shownRequired(z.enum(RECEIVER_TYPES)),
}));
/** A stored receiver, or a full or partial one in the request that is only tried out and not stored. */
export const TriedReceiver = looseObject(() => ({ id: Id.optional(), title: Title.optional(), ...ofReceiver }));
export const UpdateReceiver = looseObject(() => ({ ...updateMembers, ...changeable }));

const ofRoute = shownMembers(Route, [
  ...(["enabled", "match", "continue", "active", "outside", "group_by", "group_wait", "group_interval"] as const),
  ...(["repeat_interval", "clear", "tell_brief", "digest", "steps", "loop", "notes"] as const),
]);
export const CreateRoute = looseObject(() => ({ id: Id.optional(), title: Title, ...ofRoute }));
export const UpdateRoute = looseObject(() => ({ ...updateMembers, ...ofRoute }));

type Members<S extends z.ZodType> = z.output<S> & Readonly<Record<string, unknown>>;

export const newReceiver = (
  { sealed: _ours, former: _kept, health: _shown, ...input }: Members<typeof CreateReceiver>,
  { id, username, now }: NewStamp,
): Receiver => ({ ...filled(input, { enabled: true }), id, ...newStamps(username, now) }) as Receiver;

/** A stored route with the defaults that rules read. */
export const readRoute: (stored: StoredRoute) => Route = createFill(ROUTE_DEFAULTS);

export const newRoute = (
  input: Members<typeof CreateRoute>,
  { id, username, now }: NewStamp,
  sort_order: number,
): Route =>
  ({
    ...filled(input, { ...ROUTE_DEFAULTS, enabled: true, tell_brief: false, steps: [] }),
    sort_order,
    id,
    ...newStamps(username, now),
  }) as Route;

const MAX_LIST = 1000;
const isWords =
  (pattern: RegExp, max = MAX_LIST): Check =>
  (value) =>
    Array.isArray(value) &&
    value.length <= max &&
    value.every((each) => typeof each === "string" && pattern.test(each));
const isReference = orAbsent((value) => typeof value === "string" && /^\w*$/.test(value));

const SECRET = /^\{\{\s*secrets\.\w+\s*\}\}$/;
/** A plain word, or the macro of a secret of the web hook. */
const isSetting: Check = (value) =>
  typeof value === "string" && (/^[\w@.:/+-]{0,200}$/.test(value) || SECRET.test(value));

const RECEIVER: Readonly<Record<string, Check>> = {
  type: isOneOf(RECEIVER_TYPES),
  enabled: orAbsent(isFlag),
  users: orAbsent(isWords(/^@?[\w.-]+$/)),
  email: orAbsent(isText),
  channel: isReference,
  web_hook: isReference,
  rota: isReference,
  format: orAbsent(isOneOf(FORMATS)),
  settings: orAbsent((value) => isObject(value) && Object.values(value).every((each) => typeof each === "string")),
  fallback: isReference,
  max_per_hour: orAbsent(isWithin(0, 1000)),
  ack_links: orAbsent(isFlag),
  icon: orAbsent(isText),
  notes: orAbsent(isText),
};

/** Member that a receiver of a type must have. */
const NEEDED: Readonly<Partial<Record<Receiver["type"], keyof Receiver & string>>> = {
  user: "users",
  mail: "email",
  channel: "channel",
  web_hook: "web_hook",
  sms: "web_hook",
  rota: "rota",
};

const badMember = (checks: Readonly<Record<string, Check>>, record: Readonly<Record<string, unknown>>) =>
  Object.keys(checks).find((member) => !checks[member]?.(record[member]));

/** The sentence that refuses a receiver; undefined = it can be stored. */
export function receiverFault(receiver: Receiver): string | undefined {
  const bad = badMember(RECEIVER, receiver);
  if (bad) return `Invalid value for ${bad}`;
  const { type, settings } = receiver;
  const needed = NEEDED[type];
  const value = needed && (receiver[needed] as string | readonly string[] | undefined);
  if (needed && (!value || value.length === 0)) return `Invalid value for ${needed}`;
  if (!isService(type) && type !== "sms") return formatFault(receiver);
  if (receiver.format) return "Invalid value for format";
  return areSettingsGood(type, settings ?? {}) ? undefined : "Invalid value for settings";
}

const MATCH: Readonly<Record<string, Check>> = {
  severities: orAbsent((value) => Array.isArray(value) && value.every(isSeverity)),
  subjects: orAbsent((value) => Array.isArray(value) && value.length <= MAX_LIST && value.every(isOneOf(KINDS))),
  ...Object.fromEntries(
    ["alerts", "tags", "groups", "servers", "categories"].map((list) => [list, orAbsent(isWords(/^\w+$/))]),
  ),
};

const MINUTES_OF_WEEK = 10_080;
const isStep: Check = (value) =>
  isObject(value) && isWithin(0, MINUTES_OF_WEEK)(value["after"]) && isWords(/^\w+$/, 20)(value["to"]);

const isWindow: Check = (value) => isObject(value) && orAbsent(isText)(value["timezone"]);

const isDigest: Check = (value) =>
  isObject(value) &&
  isWords(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 6)(value["at"]) &&
  (value["at"] as readonly unknown[]).length > 0 &&
  orAbsent((days) => Array.isArray(days) && days.every(isWithin(0, 6)))(value["weekdays"]) &&
  orAbsent(isText)(value["timezone"]);

const ROUTE: Readonly<Record<string, Check>> = {
  enabled: orAbsent(isFlag),
  sort_order: isNumber,
  match: orAbsent((value) => isObject(value) && badMember(MATCH, value) === undefined),
  continue: orAbsent(isFlag),
  active: orAbsent((value) => Array.isArray(value) && value.length <= 20 && value.every(isWindow)),
  outside: orAbsent(isOneOf(["skip", "hold"])),
  group_by: orAbsent(isWords(/^(?:alert|subject|severity|category|group|tag)$/, 6)),
  group_wait: orAbsent((value) => value === "auto" || isWithin(0, 3600)(value)),
  group_interval: orAbsent(isWithin(10, 86_400)),
  repeat_interval: orAbsent((value) => value === 0 || isWithin(60, 2_592_000)(value)),
  clear: orAbsent(isOneOf(["all", "each", "none"])),
  tell_brief: orAbsent(isFlag),
  digest: orAbsent(isDigest),
  steps: (value) => Array.isArray(value) && value.length <= 10 && value.every(isStep),
  loop: orAbsent(isWithin(0, 10)),
  notes: orAbsent(isText),
};

/** The fault of a format's settings. Keys of services must be macros of secrets, because everybody can read the record. */
function formatFault({ type, format, settings }: Receiver): string | undefined {
  if (!Object.values(settings ?? {}).every(isSetting)) return "Invalid value for settings";
  if (!format) return undefined;
  if (type !== "web_hook") return "Invalid value for format";
  const isFine = (name: string): boolean => {
    const value = settings?.[name] ?? "";
    return SECRET_SETTINGS.has(name) ? SECRET.test(value) : value !== "";
  };
  return SETTINGS[format].every(isFine) ? undefined : "Invalid value for settings";
}

/** The sentence that refuses a route; undefined = it can be stored. */
export function routeFault(route: StoredRoute): string | undefined {
  const bad = badMember(ROUTE, route);
  if (bad) return `Invalid value for ${bad}`;
  const active = route.active ?? [];
  const zones = [...active.map(({ timezone }) => timezone), route.digest?.timezone];
  const zone = zones.find((each) => each && !isKnownZone(each));
  if (zone) return `Unknown time zone: ${zone}`;
  if (active.some((each) => recurrenceFault(each) !== undefined)) return "Invalid value for active";
  return timingFault(readRoute(route));
}

function timingFault({ steps, repeat_interval, group_interval }: Route): string | undefined {
  if (steps.length === 0 || steps.some(({ to }) => to.length === 0))
    return "A route needs at least one step with a receiver.";
  const isAscending = steps.every(({ after }, at) => (at === 0 ? after === 0 : after > (steps[at - 1]?.after ?? 0)));
  if (!isAscending) return "Steps must come in ascending order, the first at 0.";
  if (repeat_interval > 0 && repeat_interval < group_interval)
    return "The repeat interval must not be shorter than the group interval.";
  return undefined;
}
