import { isObject } from "../../../lib/json/is-object.ts";
import { isKnownZone } from "../../../lib/time/calendar.ts";
import { type Check, isFlag, isText, orAbsent } from "../../../wire/fields/checks.ts";
import { type NewStamp, newStamps } from "../../../wire/fields/stamps.ts";
import { filled } from "../../../wire/schemas/filled.ts";
import { isSeverity } from "../../../wire/severities.ts";
import type { CreateSilence, Recurrence, Silence } from "../model.ts";

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
/** Most names per list; every notification is matched against them. */
const MAX_NAMES = 1000;

const isClock: Check = (value) => typeof value === "string" && CLOCK.test(value);
const isEpoch: Check = (value) => value === null || (Number.isInteger(value) && Number(value) >= 0);
const isNameList: Check = (value) =>
  Array.isArray(value) &&
  value.length <= MAX_NAMES &&
  value.every((name) => typeof name === "string" && /^\w+$/.test(name));
const isNumberList =
  (allows: (value: number) => boolean): Check =>
  (value) =>
    Array.isArray(value) && value.every((each) => Number.isInteger(each) && allows(each as number));
const isZone: Check = (value) => typeof value === "string" && /^[A-Za-z][\w+\-/]*$/.test(value) && isKnownZone(value);

const FIELDS: Readonly<Record<string, Check>> = {
  title: (value) => typeof value === "string" && /\S/.test(value),
  enabled: orAbsent(isFlag),
  start: isEpoch,
  end: isEpoch,
  recurring: orAbsent(isObject),
  servers: orAbsent(isNameList),
  groups: orAbsent(isNameList),
  events: orAbsent(isNameList),
  heartbeats: orAbsent(isNameList),
  checks: orAbsent(isNameList),
  severities: orAbsent((value) => Array.isArray(value) && value.length <= MAX_NAMES && value.every(isSeverity)),
  alerts: orAbsent(isNameList),
  tags: orAbsent(isNameList),
  notes: orAbsent(isText),
};

const RECURRING: Readonly<Record<string, Check>> = {
  weekdays: orAbsent(isNumberList((day) => day >= 0 && day <= 6)),
  days: orAbsent(isNumberList((day) => (day >= 1 && day <= 31) || (day >= -7 && day <= -1))),
  from: isClock,
  to: isClock,
  timezone: orAbsent(isZone),
};

const LISTS = ["servers", "groups", "events", "heartbeats", "checks", "severities", "alerts", "tags"] as const;

const badMember = (fields: Readonly<Record<string, Check>>, record: Readonly<Record<string, unknown>>) =>
  Object.keys(fields).find((field) => !fields[field]?.(record[field]));

/** The first invalid member of a recurrence. */
export const recurrenceFault = (recurrence: Recurrence): string | undefined => badMember(RECURRING, recurrence);

/** The sentence with which a silence is refused; undefined when it can be stored. */
export function faultOf(silence: Silence): string | undefined {
  const field = badMember(FIELDS, silence);
  if (field) return `Invalid value for ${field}`;
  const { recurring, start, end } = silence;
  const part = recurring && recurrenceFault(recurring);
  if (part) return `Invalid value for recurring.${part}`;
  if (!recurring && end === null) return "A silence needs an end, or times that recur.";
  if (start !== null && end !== null && end <= start) return "The end of a silence must come after its start.";
  if (LISTS.every((list) => !silence[list]?.length))
    return "A silence needs servers, groups, events, alerts or tags. To silence everything, set the state alert_snooze.";
  return undefined;
}

/** Fills in the defaults: a silence without `start` begins now, unless it recurs. */
export function newSilence(input: CreateSilence, stamp: NewStamp): Silence {
  const { recurring, ...members } = input as CreateSilence & Partial<Silence>;
  return {
    ...filled(members, { enabled: true, end: null, servers: [], groups: [], alerts: [], tags: [] }),
    start: members.start ?? (recurring ? null : stamp.now),
    ...(recurring ? { recurring: recurring as Recurrence } : {}),
    id: stamp.id,
    ...newStamps(stamp.username, stamp.now),
  };
}
