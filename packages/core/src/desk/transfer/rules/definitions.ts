import { isObject } from "../../../lib/json/is-object.ts";

type Members = Readonly<Record<string, unknown>>;

/** Types of portable definitions, in dependency order. */
const ORDER = [
  ...["tag", "role", "group", "category", "plugin", "web_hook", "channel", "bucket", "monitor", "alert", "event"],
  "api_key",
] as const;

/** A definition that is transferred from one installation to another. */
export interface PortableDefinition {
  readonly type: string;
  readonly data: Members;
}

/** A file of portable definitions (docs/contract/transfer.md#portable-definitions). */
export interface PortableFile {
  readonly type: "xypdf";
  /** Version of the format: "1.0" or "1.1". */
  readonly version: string;
  /** Lowest version of the product that knows everything in the file. */
  readonly xyops?: string;
  readonly description?: string;
  readonly items: readonly PortableDefinition[];
}

const VERSIONS: ReadonlySet<unknown> = new Set(["1.0", "1.1"]);
/** Most characters of a file, because it is parsed all at once. */
export const MAX_PORTABLE = 2_097_152;
const MAX_ITEMS = 1000;

const rankOf = (type: string): number => ORDER.indexOf(type as (typeof ORDER)[number]);

/** Definitions in the order in which they can be applied. Definitions of one type keep their order. */
export const inDependencyOrder = (items: readonly PortableDefinition[]): PortableDefinition[] =>
  items.toSorted((a, b) => rankOf(a.type) - rankOf(b.type));

/**
 * A file of portable definitions. Throws `TypeError` for a type that is not portable; secrets never are.
 *
 * @example
 * const file = portableFile([{ type: "tag", data: tag }], { description: "Our tags" });
 */
export function portableFile(
  items: readonly PortableDefinition[],
  { description, xyops }: { readonly description?: string; readonly xyops?: string } = {},
): PortableFile {
  const foreign = items.find(({ type }) => rankOf(type) === -1);
  if (foreign) throw new TypeError(`Definitions of type ${foreign.type} are not portable`);
  return {
    type: "xypdf",
    version: xyops === undefined ? "1.0" : "1.1",
    ...(xyops === undefined ? {} : { xyops }),
    ...(description === undefined ? {} : { description }),
    items: inDependencyOrder(items),
  };
}

/**
 * Reads a file of portable definitions and returns its items in the order in which they can be applied. Throws `TypeError`, with
 * a sentence for people, for anything else. Show the whole file to a person before you apply it.
 *
 * @example
 * for (const { type, data } of readPortableFile(text).items) console.log(type, data["id"]);
 */
export function readPortableFile(text: string): PortableFile {
  if (text.length > MAX_PORTABLE) throw new TypeError("The file of definitions is too large");
  const file = parsed(text);
  if (!isObject(file) || file["type"] !== "xypdf") throw new TypeError("The file holds no portable definitions");
  const { version, xyops, description, items } = file;
  if (!VERSIONS.has(version)) throw new TypeError("The version of the file is not known");
  if (!Array.isArray(items) || items.length > MAX_ITEMS)
    throw new TypeError("The file has no list of items, or too long a one");
  return {
    type: "xypdf",
    version: String(version),
    items: inDependencyOrder(items.map(portableItem)),
    ...(typeof xyops === "string" ? { xyops } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError("The file of definitions is not valid JSON", { cause: error });
  }
}

function portableItem(item: unknown): PortableDefinition {
  const { type, data } = Object(item) as { type?: unknown; data?: unknown };
  if (typeof type !== "string" || rankOf(type) === -1)
    throw new TypeError(`Definitions of type ${String(type).slice(0, 40)} are not portable`);
  if (!isObject(data) || Object.hasOwn(data, "__proto__")) throw new TypeError(`An item of type ${type} has no data`);
  return { type, data };
}

/** Whether a file begins like portable definitions, and not like a backup. */
export const isPortable = (head: string): boolean =>
  /^\s*\{/.test(head) && /"type"\s*:\s*"xypdf"/.test(head) && !/^\s*\{\s*"(?:key|cmd|index)"/.test(head);
