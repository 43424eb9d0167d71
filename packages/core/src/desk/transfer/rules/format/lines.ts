import { isObject } from "../../../../lib/json/is-object.ts";
import { parsedJson } from "../../../../lib/json/parsed-json.ts";

type Members = Readonly<Record<string, unknown>>;

/** Version of the format that exports use. */
const FORMAT_VERSION = "1.0";
/** Last line of our own files, which their header announces: a file without it was truncated. */
export const END_MARK = "# End of data";
const FORMAT = `Format: XYBK v${FORMAT_VERSION}, one JSON object a line, with a mark at the end`;
export const PROMISE = `# ${FORMAT}`;

export interface Heading {
  readonly product: string;
  readonly hostname: string;
  /** Unix seconds. */
  readonly now: number;
}

/** Comments at the top of a file (docs/contract/transfer.md#lines). */
export function headerOf({ product, hostname, now }: Heading): string {
  const lines = [
    `${oneLine(product)} Data Export v${FORMAT_VERSION}`,
    `Hostname: ${oneLine(hostname)}`,
    `Date/Time: ${new Date(now * 1000).toISOString()}`,
    FORMAT,
  ];
  return `${lines.map((line) => `# ${line}`).join("\n")}\n\n`;
}

const oneLine = (text: string): string => text.replace(/[^\P{C}\t]/gu, " ").slice(0, 200);

export const commentLine = (text: string): string => `\n# ${oneLine(text)}\n`;
export const recordLine = (key: string, value: unknown): string => `${JSON.stringify({ key, value })}\n`;
export const rowLine = (index: string, record: { readonly id: string }): string =>
  `${JSON.stringify({ index, id: record.id, record })}\n`;
/** Empties a list before its records come. */
export const emptyLine = (key: string): string => `${JSON.stringify({ cmd: "listDelete", args: [key, false] })}\n`;

/** A parsed line of a file. */
export type Line =
  | { readonly kind: "nothing" }
  | { readonly kind: "record"; readonly key: string; readonly value: unknown }
  | { readonly kind: "row"; readonly index: string; readonly id: string; readonly record: Members }
  | { readonly kind: "command"; readonly cmd: string; readonly args: readonly unknown[] }
  | { readonly kind: "fault"; readonly reason: string };

const fault = (reason: string): Line => ({ kind: "fault", reason });

/** Parses a line and checks its form. Lines that do not begin with a brace contain no data. */
export function parseLine(text: string): Line {
  if (!text.startsWith("{")) return { kind: "nothing" };
  const value = parsedJson(text);
  if (!isObject(value)) return fault("Not valid JSON");
  if (hasPrototype(text, value)) return fault("Contains the illegal key __proto__");
  const { key, cmd, args, index, id, record } = value;
  if (typeof key === "string" && key !== "") return { kind: "record", key, value: value["value"] };
  if (typeof cmd === "string")
    return Array.isArray(args) ? { kind: "command", cmd, args } : fault("A command has no args");
  if (typeof index !== "string") return fault("Neither a record nor a row nor a command");
  if (typeof id !== "string" || !isObject(record)) return fault(`A row of ${shown(index)} has no id or no record`);
  return { kind: "row", index, id, record };
}

/** Code that copies the record would take a member with this name for the prototype. Escapes may hide the name. */
const hasPrototype = (text: string, value: unknown): boolean =>
  (text.includes("__proto__") || /\\u00[567]/i.test(text)) && holdsPrototype(value);

function holdsPrototype(value: unknown): boolean {
  const stack: unknown[] = [value];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top !== "object" || top === null) continue;
    if (Object.hasOwn(top, "__proto__")) return true;
    stack.push(...Object.values(top).filter((inner) => typeof inner === "object" && inner !== null));
  }
  return false;
}

const MAX_SHOWN = 120;

/** Makes a piece of a file fit for a report: short and on one line. */
export const shown = (text: string): string => {
  const flat = text.replace(/\p{C}/gu, " ");
  return flat.length > MAX_SHOWN ? `${flat.slice(0, MAX_SHOWN)}…` : flat;
};
