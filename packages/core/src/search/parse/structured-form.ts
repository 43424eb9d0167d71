import { SearchError } from "./search-error.ts";

export interface Group {
  readonly mode: "and" | "or";
  readonly items: readonly (Group | Item)[];
}

export interface Item {
  readonly field: string;
  readonly operator: "=" | "!~" | ">" | ">=" | "<" | "<=";
  readonly value: string;
}

export const isGroup = (item: Group | Item): item is Group => "items" in item;

/** Deepest nesting of groups. */
const MAX_DEPTH = 32;

const OPEN = /\s*(\()/y;
const CLOSE = /\s*(\))/y;
const SEPARATOR = /\s*([&|])\1?/y;
const FIELD = /\s*(\w+)/y;
const OPERATOR = /\s*(==|=~|!~|>=|<=|=|>|<)/y;
const VALUE = /\s*("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?)/y;
const END = /\s*()$/y;

const EQUAL: ReadonlySet<string> = new Set(["=", "==", "=~"]);

interface Reader {
  /** The first group of the pattern if the text continues with it. */
  take(pattern: RegExp): string | undefined;
  /** Like `take`, but throws if the text continues with anything else. */
  need(pattern: RegExp, what: string): string;
}

function readerOf(query: string): Reader {
  let at = 0;
  const take: Reader["take"] = (pattern) => {
    pattern.lastIndex = at;
    const match = pattern.exec(query);
    if (match) at += match[0].length;
    return match?.[1];
  };
  return {
    take,
    need(pattern, what) {
      const found = take(pattern);
      if (found === undefined) throw new SearchError(`Expected ${what} at character ${at + 1}`);
      return found;
    },
  };
}

/** Parses `(field op value & (… | …))` (docs/contract/search.md#structured-form). Throws `SearchError` for anything else. */
export function parseStructured(query: string): Group {
  const reader = readerOf(query);
  reader.need(OPEN, "a group");
  const group = readGroup(reader, 1);
  reader.need(END, "the end of the query");
  return group;
}

function readGroup(reader: Reader, depth: number): Group {
  if (depth > MAX_DEPTH) throw new SearchError("The query is nested too deeply");
  const items: (Group | Item)[] = [];
  let mode: string | undefined;
  let separator: string | undefined;
  do {
    items.push(reader.take(OPEN) === undefined ? readItem(reader) : readGroup(reader, depth + 1));
    separator = reader.take(SEPARATOR);
    mode ??= separator;
    if (separator !== undefined && separator !== mode) throw new SearchError("A group cannot mix & and |");
  } while (separator !== undefined);
  reader.need(CLOSE, "& or | or )");
  return { mode: mode === "|" ? "or" : "and", items };
}

function readItem(reader: Reader): Item {
  const field = reader.need(FIELD, "the name of a field");
  const operator = reader.need(OPERATOR, "an operator");
  const value = plainText(reader.need(VALUE, "a text in double quotes or a number"));
  return { field, operator: EQUAL.has(operator) ? "=" : (operator as Item["operator"]), value };
}

function plainText(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch (error) {
    throw new SearchError(`Not a JSON text: ${json}`, { cause: error });
  }
}
