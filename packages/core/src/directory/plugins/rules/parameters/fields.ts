import { compilesQuickly } from "../../../../expressions/index.ts";
import { membersOf } from "../../../../lib/json/is-object.ts";
import { messageOf } from "../../../../lib/message-of.ts";
import { isBlank, textOrNothing } from "../../../../lib/text/text-of.ts";
import { OVERRIDE_PREFIX } from "../../../../wire/entries/override.ts";
import { isReservedWord } from "../../../../wire/fields/reserved.ts";
import { checkToolset } from "./toolset.ts";
import { VARIANTS } from "./variants.ts";

type Members = Readonly<Record<string, unknown>>;

/** The fault of a parameter definition; with `toolset` the reason is a whole sentence. */
export interface DefinitionFault {
  /** "n/a" when the definition has none. */
  readonly id: string;
  readonly reason: string;
  readonly toolset?: boolean;
}

const TYPES: ReadonlySet<unknown> = new Set([
  ...["text", "textarea", "code", "json", "checkbox", "select", "bucket", "system", "hidden", "toolset", "group"],
]);

/** Job members that no parameter may replace at launch (docs/contract/parameters.md#override-parameters). */
const RESERVED_OVERRIDES: ReadonlySet<string> = new Set([
  ...["plugin", "params", "id", "event", "enabled", "category", "fields", "actions", "limits", "triggers"],
  ...["workflow", "command", "script", "uid", "gid", "cwd", "env", "kill", "runner"],
]);

export const isReservedOverride = (id: string): boolean =>
  id.startsWith(OVERRIDE_PREFIX) && RESERVED_OVERRIDES.has(id.slice(OVERRIDE_PREFIX.length));

/** The first fault in a list of parameter definitions (docs/contract/parameters.md#faults-of-definitions). */
export function checkDefinitions(list: readonly unknown[]): DefinitionFault | undefined {
  const ids = new Set<unknown>();
  for (const entry of list) {
    const definition = membersOf(entry);
    const { id } = definition;
    const named = typeof id === "string" && id !== "" ? id : "n/a";
    const reason = checkId(id) ?? (ids.has(id) ? `Duplicate parameter ID: ${named}` : checkMembers(definition));
    if (reason !== undefined) return { id: named, reason };
    ids.add(id);
  }
  return checkToolsets(list as readonly Members[], ids);
}

function checkToolsets(list: readonly Members[], ids: ReadonlySet<unknown>): DefinitionFault | undefined {
  for (const definition of list) {
    if (definition["type"] !== "toolset") continue;
    const reason = checkToolset(definition["data"], ids, checkPattern);
    if (reason !== undefined)
      return { id: String(definition["id"]), reason: `Toolset Data Error: ${reason}`, toolset: true };
  }
  return undefined;
}

function checkId(id: unknown): string | undefined {
  if (typeof id !== "string") return "ID must be a string";
  if (!/^[\w\-.]+$/.test(id)) return "ID field must contain only alphanumerics, underscore, dash and period.";
  if (!/^[A-Za-z_]/.test(id)) return "ID field must begin with an alpha character or underscore.";
  const member = id.startsWith(OVERRIDE_PREFIX) ? id.slice(OVERRIDE_PREFIX.length) : id;
  if (isReservedWord(id) || isReservedWord(member)) return `Invalid parameter ID: ${id}`;
  return isReservedOverride(id) ? `Invalid parameter ID: ${id} (reserved)` : undefined;
}

function checkMembers(definition: Members): string | undefined {
  const { type, title, caption, variant, regex } = definition;
  if (typeof type !== "string") return "Type must be a string";
  if (!TYPES.has(type)) return "Invalid type";
  if (isBlank(title)) return "Title property is missing";
  if (typeof title !== "string") return "Title must be a string";
  if (/[<>]/.test(title)) return "Title contains illegal characters";
  if (typeof caption === "string" && /[<>]/.test(caption)) return "Caption contains illegal characters";
  if (type === "text" && !isBlank(variant) && !VARIANTS.has(variant)) return "Invalid text field variant";
  return (isBlank(regex) ? undefined : checkPattern(regex)) ?? checkKinds(definition);
}

/** Checks the types of other members that readers of a definition rely on. */
function checkKinds(definition: Members): string | undefined {
  const text = ["variant", "caption", "range"].find(
    (member) => !isBlank(definition[member]) && typeof definition[member] !== "string",
  );
  if (text !== undefined) return `Invalid ${text} (not a string)`;
  const flag = ["required", "locked"].find((member) => !isFlag(definition[member]));
  return flag && `Invalid ${flag} flag`;
}

const isFlag = (value: unknown): boolean =>
  value === undefined || typeof value === "boolean" || typeof value === "number";

/** Describes the fault of a pattern; undefined = none. */
function checkPattern(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") return "Invalid regular expression: not a string";
  if (pattern.length > 1000) return "Invalid regular expression: too long";
  try {
    new RegExp(pattern);
    return compilesQuickly(pattern) ? undefined : "Invalid regular expression: too complex";
  } catch (error) {
    return `Invalid regular expression: ${messageOf(error)}`;
  }
}

/** Tests text against a user's pattern, in bounded time; throws for an invalid pattern. */
export type TestPattern = (pattern: string, text: string) => boolean;

const MAX_TESTED = 10_000;

/** The fault of a value. */
export interface ValueFault {
  /** Id of the parameter. */
  readonly id: unknown;
  readonly reason: "required" | "invalid" | "range";
  /** Range of the definition. */
  readonly range?: string;
}

/** The first value that its definition refuses (docs/contract/parameters.md#values). */
export function findValueFault(
  definitions: readonly Members[],
  values: Members,
  testPattern: TestPattern,
): ValueFault | undefined {
  for (const definition of definitions) {
    const { id, required, regex, range } = definition;
    const text = textOrNothing(values[String(id)]);
    if (required && text === "") return { id, reason: "required" };
    if (text === "") continue;
    if (typeof regex === "string" && regex !== "" && !passesPattern(regex, text, testPattern))
      return { id, reason: "invalid" };
    if (typeof range === "string" && range !== "" && !isInRange(range, text)) return { id, reason: "range", range };
  }
  return undefined;
}

/** Describes the first fault of the values; the caller adds a prefix. */
export function checkValues(
  definitions: readonly Members[],
  values: Members,
  testPattern: TestPattern,
): string | undefined {
  const fault = findValueFault(definitions, values, testPattern);
  return fault && valueText(fault);
}

/** Describes the fault of a value; the caller adds a prefix. */
export function valueText({ id, reason, range }: ValueFault): string {
  if (reason === "required") return `Parameter '${id}' is required.`;
  return `Parameter '${id}' value is invalid${reason === "range" ? ` (${range})` : ""}.`;
}

function passesPattern(pattern: string, text: string, testPattern: TestPattern): boolean {
  try {
    return text.length <= MAX_TESTED && testPattern(pattern, text);
  } catch {
    // The contract says that a pattern that does not compile fails every value.
    return false;
  }
}

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)`;
const RANGE = new RegExp(`^(${NUMBER})-(${NUMBER})(?:/(${NUMBER}|any))?$`);
const TOLERANCE = 1e-7;

/** Checks a value against `MIN - MAX / STEP`: bounds are inclusive, and steps count from MIN. */
function isInRange(range: string, text: string): boolean {
  const [, from, to, by] = RANGE.exec(range.replace(/\s+/g, "")) ?? [];
  const value = Number(text);
  if (from === undefined || to === undefined || !Number.isFinite(value)) return false;
  const [min, max] = [Number(from), Number(to)];
  if (value < min || value > max) return false;
  if (by === undefined || by === "any") return true;
  const steps = (value - min) / Number(by);
  return Number.isFinite(steps) && Math.abs(steps - Math.round(steps)) <= TOLERANCE;
}

/** Fills in defaults for missing values; a hidden parameter always gets its default. */
export function withDefaults(definitions: readonly Members[], values: Members): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...values };
  for (const definition of definitions) {
    const name = String(definition["id"]);
    const value = defaultOf(definition);
    if (value === undefined) continue;
    if (definition["type"] === "hidden" || filled[name] === undefined) filled[name] = value;
  }
  return filled;
}

/**
 * Replaces the values of locked parameters by their stored values if `stored` is given, otherwise by their defaults
 * (docs/contract/parameters.md#locked-parameters).
 */
export function forceLocked(
  definitions: readonly Members[],
  values: Members,
  stored: Members | undefined,
): Record<string, unknown> {
  const forced: Record<string, unknown> = { ...values };
  for (const definition of definitions) {
    if (!definition["locked"]) continue;
    const name = String(definition["id"]);
    const kept = stored && Object.hasOwn(stored, name) ? stored[name] : defaultOf(definition);
    if (kept === undefined) delete forced[name];
    else forced[name] = kept;
  }
  return forced;
}

/**
 * Refuses values in which a locked parameter is required but empty, because the caller may not choose its value; returns the text
 * for the first one.
 */
export function lockedFault(definitions: readonly Members[], values: Members): string | undefined {
  const empty = definitions.find(
    ({ id, locked, required }) => locked && required && textOrNothing(values[String(id)]) === "",
  );
  return empty && `Parameter '${empty["id"]}' is locked: only administrators may choose its value.`;
}

/** The default of a parameter; undefined when it has none. */
function defaultOf({ type, value, multiple }: Members): unknown {
  if (type === "group" || type === "toolset") return undefined;
  if (type !== "select" || typeof value !== "string") return copy(value);
  // The value of a menu is the menu itself, "Label [value], …"; its first item is the default.
  const [first = ""] = value.split(/\s*,\s*/);
  const item = /\[([^\]]*)\]\s*$/.exec(first)?.[1] ?? first;
  return multiple ? [] : item.trim();
}

/** Copies a JSON default, which records must not share. */
const copy = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? structuredClone(value) : value;
