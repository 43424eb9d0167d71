import { isObject } from "../../../../lib/json/is-object.ts";
import { isBlank, isTextList } from "../../../../lib/text/text-of.ts";
import { isKnownZone } from "../../../../lib/time/calendar.ts";
import { isFlag } from "../../../../wire/fields/checks.ts";
import { MAX_EPOCH, MAX_SECONDS, MAX_TRIGGERS, MAX_VALUES } from "../bounds.ts";

type Entry = Readonly<Record<string, unknown>>;
/** The text that follows "Malformed trigger entry #n: "; `exact` texts stand alone. */
type Fault = string | { readonly exact: string } | undefined;
type Check = (entry: Entry) => Fault;

const isEpoch = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_EPOCH;
const isDuration = (value: unknown): value is number => typeof value === "number" && value > 0 && value <= MAX_EPOCH;

const LISTS: readonly (readonly [string, (value: number) => boolean])[] = [
  ["years", (value) => value >= 1],
  ["months", (value) => value >= 1 && value <= 12],
  ["days", (value) => (value >= 1 && value <= 31) || (value >= -7 && value <= -1)],
  ["weekdays", (value) => value >= 0 && value <= 6],
  ["hours", (value) => value >= 0 && value <= 23],
  ["minutes", (value) => value >= 0 && value <= 59],
];

function checkSchedule(entry: Entry): Fault {
  for (const [key, allows] of LISTS) {
    const fault = checkList(entry[key], allows);
    if (fault !== undefined) return { exact: `Malformed trigger parameter: ${key} ${fault}` };
  }
  const { dst } = entry;
  if (!isBlank(dst) && dst !== "once" && dst !== "wall") return "Invalid dst (must be once or wall).";
  return checkZone(entry);
}

function checkList(list: unknown, allows: (value: number) => boolean): string | undefined {
  if (isBlank(list)) return undefined;
  if (!Array.isArray(list)) return "(must be array)";
  if (list.length > MAX_VALUES) return `(more than ${MAX_VALUES} values)`;
  for (const value of list as readonly unknown[]) {
    if (typeof value !== "number") return "(must be array of numbers)";
    if (!Number.isInteger(value) || !allows(value)) return `(out of range: ${value})`;
  }
  return undefined;
}

function checkZone({ timezone }: Entry): Fault {
  if (isBlank(timezone)) return undefined;
  if (typeof timezone !== "string" || !/^[A-Za-z][\w+\-/]*$/.test(timezone))
    return `Invalid timezone: ${typeof timezone === "string" ? timezone : JSON.stringify(timezone)}`;
  return isKnownZone(timezone) ? undefined : `Unknown timezone: ${timezone}`;
}

function checkInterval({ start, duration }: Entry): Fault {
  if (!isEpoch(start)) return "Invalid starting date/time specified for interval";
  if (isBlank(duration)) return "Interval rule is missing duration.";
  if (!isDuration(duration)) return "Interval duration must be a positive number.";
  return duration >= 1 ? undefined : "Interval duration must be at least one second.";
}

function checkRange({ start, end }: Entry): Fault {
  if (!isBlank(start) && !isEpoch(start)) return "Invalid start date/time specified for range";
  if (!isBlank(end) && !isEpoch(end)) return "Invalid end date/time specified for range";
  const isReversed = isEpoch(start) && isEpoch(end) && start > end;
  return isReversed ? "Invalid date range.  The start date cannot come after the end date." : undefined;
}

function checkBlackout({ start, end }: Entry): Fault {
  if (isBlank(start) || isBlank(end)) return "Both a start and an end date are required for blackout.";
  if (!isEpoch(start)) return "Invalid start date/time specified for blackout";
  if (!isEpoch(end)) return "Invalid end date/time specified for blackout";
  return start > end ? "Invalid date range for blackout.  The start date cannot come after the end date." : undefined;
}

function checkKeyboard({ keys }: Entry): Fault {
  return Array.isArray(keys) && keys.length > 0 ? undefined : "Keyboard trigger has no shortcuts.";
}

function checkMagic({ key, token }: Entry): Fault {
  const isBad = (value: unknown): boolean => !isBlank(value) && typeof value !== "string";
  if (isBad(key) || (typeof key === "string" && key !== "" && !/^[\w-]+$/.test(key))) return "Invalid magic key.";
  return isBad(token) ? "Invalid magic token." : undefined;
}

function checkNth({ every }: Entry): Fault {
  return Number.isInteger(every) && (every as number) >= 2
    ? undefined
    : "Every Nth value is invalid (must be 2 or higher).";
}

function checkPrecision({ seconds }: Entry): Fault {
  const isSecond = (value: unknown): boolean => isEpoch(value) && value <= 59;
  if (!Array.isArray(seconds) || seconds.length === 0) return "Precision rule is missing seconds array.";
  if (seconds.length > MAX_SECONDS) return `Precision rule has more than ${MAX_SECONDS} seconds.`;
  return seconds.every(isSecond) ? undefined : "Precision rule is missing seconds array.";
}

function checkPlugin(entry: Entry): Fault {
  const { plugin_id: id } = entry;
  if (typeof id !== "string" || !/^\w+$/.test(id))
    return `Scheduler Plugin not found: ${typeof id === "string" ? id : ""}`;
  return checkZone(entry);
}

const noOptions: Check = () => undefined;

const CHECKS: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  ["manual", noOptions],
  ["startup", noOptions],
  ["catchup", noOptions],
  ["schedule", checkSchedule],
  ["interval", checkInterval],
  ["single", ({ epoch }) => (isEpoch(epoch) ? undefined : "Invalid date/time specified for single shot")],
  ["magic", checkMagic],
  ["keyboard", checkKeyboard],
  ["nth", checkNth],
  ["range", checkRange],
  ["blackout", checkBlackout],
  ["delay", ({ duration }) => (isDuration(duration) ? undefined : "Starting delay rule is missing duration.")],
  ["precision", checkPrecision],
  [
    "quiet",
    ({ invisible, ephemeral }) =>
      invisible || ephemeral ? undefined : "Quiet rule must have one or more modes enabled.",
  ],
  ["plugin", checkPlugin],
]);

/** Types of which at most one trigger may be enabled, and their names in the error. */
const SINGLE: readonly (readonly [string, string])[] = [
  ["startup", "startup"],
  ["catchup", "catch-up"],
  ["nth", "every-nth"],
  ["manual", "manual"],
  ["precision", "precision"],
  ["quiet", "quiet"],
  ["plugin", "plugin"],
  ["delay", "delay"],
];
const EXCLUSIVE: readonly (readonly [string, string, string])[] = [
  ["interval", "precision", "Interval and precision"],
  ["interval", "delay", "Interval and delay"],
  ["precision", "delay", "Precision and delay"],
];

/**
 * The wire text of the first fault in a list of triggers; undefined when there is none
 * (docs/contract/schedules.md#faults).
 */
export function checkTriggers(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "Malformed event parameter: triggers (must be array)";
  if (value.length > MAX_TRIGGERS) return `Malformed event parameter: triggers (more than ${MAX_TRIGGERS})`;
  for (const [index, entry] of (value as readonly unknown[]).entries()) {
    const where = whereOfTrigger(index);
    if (!isObject(entry)) return `${where} (not an object)`;
    const fault = checkEntry(entry);
    if (typeof fault === "object") return fault.exact;
    if (fault !== undefined) return `${where}: ${fault}`;
  }
  return checkTogether(value as readonly Entry[]);
}

export const whereOfTrigger = (index: number): string => `Malformed trigger entry #${index + 1}`;

function checkEntry(entry: Entry): Fault {
  const check = CHECKS.get(entry["type"]);
  if (!check) return "Unknown type";
  const { enabled, params, tags, data } = entry;
  if (enabled !== undefined && !isFlag(enabled)) return "Invalid enabled flag.";
  if (!isBlank(params) && !isObject(params)) return "Invalid parameters (must be object).";
  if (!isBlank(tags) && !isTextList(tags)) return "Invalid tag list.";
  if (!isBlank(data) && (typeof data !== "object" || data === null)) return "Invalid data (must be object).";
  return check(entry);
}

function checkTogether(triggers: readonly Entry[]): string | undefined {
  const counts = new Map<unknown, number>();
  for (const { enabled, type } of triggers) if (enabled) counts.set(type, (counts.get(type) ?? 0) + 1);
  for (const [type, name] of SINGLE)
    if ((counts.get(type) ?? 0) > 1) return `Only one ${name} rule is allowed in trigger list.`;
  for (const [left, right, names] of EXCLUSIVE)
    if (counts.has(left) && counts.has(right)) return `${names} triggers are mutually exclusive.`;
  return undefined;
}
