import { InputError } from "../../kernel/errors/errors.ts";
import { isObject } from "../../lib/json/is-object.ts";
import { isSurelyLonger } from "../../lib/json/json-size.ts";
import { textOf } from "../../lib/text/text-of.ts";
import { isReservedWord } from "./reserved.ts";
import { stripTags, stripTagsOutsideMacros } from "./strip-tags.ts";

const MAX_TITLE = 256;
const MAX_ID = 64;
/**
 * Most characters of a text at the top level: twice the size of a record, so that no text that could be stored is refused here.
 * One pass over a text of 15 MB blocks the event loop for up to 60 ms.
 */
const MAX_TEXT = 2_097_152;
/** Most characters of a list or object in place of a text: serialising and stripping a megabyte blocks the loop for 30 ms. */
const MAX_WRITTEN = 65_536;
const MAX_DEPTH = 64;
const MAX_MEMBERS = 100_000;
/**
 * A message may contain macros with `<` inside, so only real tags outside macros are removed
 * (docs/contract/records.md#common-members).
 */
const STRIPPED = [
  ["notes", stripTags],
  ["label", stripTags],
  ["message", stripTagsOutsideMacros],
] as const;

interface Place {
  /** Namespace of the operation: "app", or "user" for accounts. */
  readonly namespace?: string;
  /** Kind of the operation. */
  readonly kind?: "command" | "query" | "stream";
}

/**
 * The rules for the input of every operation: illegal keys, `id`, `title`, `icon`, stripped texts, and the bounds on depth,
 * members and texts at the top level. Queries store nothing, so `null` means absent there: clients send it for parameters that
 * they do not use. Returns a fresh object without inherited members; the given one stays unchanged.
 */
export function checkCommonParameters(
  raw: unknown,
  { namespace, kind = "command" }: Place = {},
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  if (!isObject(raw)) return input;
  copyMembers(raw, input);
  if (kind !== "command") dropNulls(input);
  checkId(input["id"]);
  checkTitle(input["title"]);
  // Operations of accounts remove illegal characters from an icon instead of refusing it.
  if (namespace !== "user") checkIcon(input["icon"]);
  for (const [key, strip] of STRIPPED) {
    const value = input[key];
    if (value === undefined || value === null) continue;
    if (typeof value === "object" && isSurelyLonger(value, MAX_WRITTEN))
      throw new InputError(`Malformed parameter: ${key}`);
    input[key] = strip(textOf(value));
  }
  return input;
}

function dropNulls(input: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(input)) if (value === null) delete input[key];
}

/** Parsers quote the text around the error, which may contain a password or a key, and refusals are logged. */
export const notJson = (error: unknown): InputError =>
  new InputError(`Failed to parse JSON: ${(error as Error).message.replace(/".*"/s, '"…"')}`, { cause: error });

/** Parses a parameter that is JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

function copyMembers(raw: object, input: Record<string, unknown>): void {
  const keys = Object.keys(raw);
  let nested = false;
  for (const key of keys) {
    if (isReservedWord(key)) throw new InputError(`Invalid parameter: ${key} (illegal key)`);
    const value = (raw as Record<string, unknown>)[key];
    // In process a member may be undefined; it must not erase the stored value.
    if (value === undefined) continue;
    if (typeof value === "string" && value.length > MAX_TEXT) throw new InputError(`Malformed parameter: ${key}`);
    nested ||= typeof value === "object" && value !== null;
    input[key] = value;
  }
  // Most calls have only a few texts, and no tree to check.
  if (nested || keys.length > MAX_MEMBERS) checkTree(input);
}

function checkId(id: unknown): void {
  if (id === undefined || id === null) return;
  if (typeof id !== "string") throw new InputError(`Invalid ID parameter: ${textOf(id)} (not a string)`);
  if (isReservedWord(id)) throw new InputError(`Invalid ID parameter: ${id} (reserved word)`);
  if (id.length > MAX_ID) throw new InputError("Malformed parameter: id");
}

function checkTitle(title: unknown): void {
  if (title === undefined || title === null) return;
  if (typeof title !== "string") throw new InputError("Parameter is not type string: title");
  if (/[<>]/.test(title)) throw new InputError("Malformed title parameter: Cannot contain HTML metacharacters");
  if (title.length > MAX_TITLE) throw new InputError("Malformed parameter: title");
}

function checkIcon(icon: unknown): void {
  if (icon === undefined || icon === null || icon === "") return;
  if (typeof icon !== "string") throw new InputError("Parameter is not type string: icon");
  if (!/^[\w-]+$/.test(icon)) throw new InputError("Malformed icon parameter: Contains illegal characters");
}

const checked = new WeakSet<object>();

/**
 * Marks a body whose reader has already enforced the bounds on depth and members and found no `__proto__`: walking through its
 * members again would take 10 ms for the largest.
 */
export function markChecked(body: object): void {
  for (const member of Object.values(body)) if (typeof member === "object" && member !== null) checked.add(member);
}

/**
 * Checks depth, number of members and `__proto__` at all levels. An explicit stack replaces recursion, so depth costs nothing.
 */
function checkTree(root: object): void {
  const stack: Node[] = [{ value: root, depth: 1 }];
  let members = 0;
  for (let top = stack.pop(); top; top = stack.pop()) {
    members += checkMembers(top, stack);
    if (members > MAX_MEMBERS || top.depth > MAX_DEPTH) throw new InputError("Malformed request body.");
  }
}

interface Node {
  readonly value: object;
  readonly depth: number;
}

function checkMembers({ value, depth }: Node, stack: Node[]): number {
  return Array.isArray(value) ? checkList(value, depth, stack) : checkRecord(value as Members, depth, stack);
}

type Members = Readonly<Record<string, unknown>>;

function checkList(list: readonly unknown[], depth: number, stack: Node[]): number {
  for (let index = 0; index < list.length; index++) goInto(list[index], depth, stack);
  return list.length;
}

function checkRecord(record: Members, depth: number, stack: Node[]): number {
  let count = 0;
  // Only plain objects get here; this loop is several times as fast as one over `Object.entries`.
  for (const key in record) {
    if (key === "__proto__") throw new InputError(`Invalid parameter: ${key} (illegal key)`);
    count++;
    goInto(record[key], depth, stack);
  }
  return count;
}

function goInto(member: unknown, depth: number, stack: Node[]): void {
  if (typeof member === "object" && member !== null && isPlain(member) && (depth > 1 || !checked.has(member)))
    stack.push({ value: member, depth: depth + 1 });
}

/** In process, host functions may receive schemas, signals or buffers; only data is checked. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
