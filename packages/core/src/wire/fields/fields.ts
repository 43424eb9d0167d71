import * as z from "zod";
import { DomainError } from "../../kernel/errors/errors.ts";
import { isObject } from "../../lib/json/is-object.ts";

/** Most characters of an id: ids that callers send go to the store and are repeated in answers. */
const MAX_ID = 1000;

/** `^[a-z0-9_]+$`: ids of listed records. */
export const Id = z
  .string()
  .max(MAX_ID)
  .regex(/^[a-z0-9_]+$/);
/** `^\w+$`: ids in references. */
export const WordId = z.string().max(MAX_ID).regex(/^\w+$/);
export const Title = z.string().regex(/\S/);
/** Stored and returned as scripts send it: `1`, `0`, `true` or `false`; evaluated for truthiness. */
export const Flag = z.union([z.boolean(), z.number()]);

/**
 * A schema that accepts more spellings than its type shows: the wire may send numbers as text, whereas code that calls the engine
 * must keep to the type.
 */
export const lenient = <S extends z.ZodType>(
  read: (value: unknown) => unknown,
  schema: S,
): z.ZodType<z.output<S>, z.input<S>> => z.preprocess(read, schema) as never;

const TRUE: ReadonlySet<unknown> = new Set([true, 1, "true", "1"]);
const FALSE: ReadonlySet<unknown> = new Set([false, 0, "false", "0", ""]);

function toFlag(value: unknown): unknown {
  if (TRUE.has(value)) return true;
  return FALSE.has(value) ? false : value;
}

/** A boolean that also accepts `1`, `"true"`, `0`, `"false"` and `""` (docs/contract/requests.md#parameters). */
export const flag = () => lenient(toFlag, z.boolean());
/** A flag that may be absent or `null`. */
export const optionalFlag = () =>
  lenient((value) => (value === null ? undefined : toFlag(value)), z.boolean().optional()).optional();

function toNumber(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[+-]?\d/.test(value)) return value;
  return Number.parseInt(value, 10);
}

/** A number that also accepts base-10 integer text. */
export const number = () => lenient(toNumber, z.number());

/** Most elements of a list that a caller sends. */
export const MAX_ITEMS = 1000;

/** Stands for an object with too many members. Its own is too long, so that it is malformed and not missing. */
const TOO_MANY = { ["-".repeat(65)]: true };

/** Privileges as sent: id → given or not. More than a thousand are refused unread. */
export const sentPrivileges = () =>
  lenient(
    (value) => (isObject(value) && Object.keys(value).length > MAX_ITEMS ? TOO_MANY : value),
    z.record(z.string().max(64), z.union([z.boolean(), z.number()])),
  );

/** An array that also accepts comma-separated text, of at most a thousand elements; `error` is the message for other values. */
export const csv = <T extends z.ZodType>(item: T, error?: string) =>
  lenient((value) => (typeof value === "string" ? splitList(value) : value), z.array(item, error).max(MAX_ITEMS));

/** The non-empty elements of a comma-separated text. Of too many, it returns one more than allowed, so that they are refused. */
function splitList(text: string): string[] {
  const parts = text.split(/,\s*/, MAX_ITEMS + 1);
  return parts.length > MAX_ITEMS ? parts : parts.filter((part) => part !== "");
}

/**
 * The `ids` of a bulk read, as a list or comma-separated; anything else is an error with the code `noun`
 * (docs/contract/records.md#bulk-reads).
 */
export const idsOf = (noun: string) =>
  lenient((value) => {
    const ids = typeof value === "string" ? splitList(value) : value;
    if (isIdList(ids)) return ids;
    throw new DomainError(noun, "malformed", "Missing or malformed ids parameter.");
  }, z.array(z.string())).meta({ type: "array", items: { type: "string" } });

const isIdList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_ITEMS && value.every((id) => typeof id === "string");

/** Paging of searches (docs/contract/records.md#paging): invalid values become the default, the cap is 10000. */
export function pageNumber(fallback: number, cap = 10_000) {
  return lenient((value) => {
    const parsed = typeof value === "string" ? Number.parseInt(value, 10) : value;
    if (typeof parsed !== "number") return fallback;
    return Number.isFinite(parsed) && parsed >= 0 ? Math.min(Math.floor(parsed), cap) : fallback;
  }, z.number());
}
