/** One part of a query in the simple form, as it was written (docs/contract/search.md#simple-form). */
export interface Part {
  /** Undefined = none given. `#id` stands for the id of the record. */
  readonly field: string | undefined;
  readonly negative: boolean;
  /** Alternatives, without their quotes. */
  readonly values: readonly string[];
}

/** The prefix of the record's own id. */
export const ID = "#id";

const BLANKS = /[\s|]*/y;
const SIGN = /[+-](?=[^\s|])/y;
/** A colon before `//` belongs to a URL, and a colon with nothing after it is an ordinary character. */
const PREFIX = /(#id|\w+)\s*:(?!\/\/)\s*(?=[^\s|])/y;
const INNER_SIGN = /-(?=[^\s|])/y;
/** A quote that is never closed is an ordinary character. */
const VALUE = /"([^"]*)"|[^\s|]+/y;
const BAR = /\s*\|[\s|]*/y;

interface Scanner {
  /** Matches a pattern at the current position and moves past it, unless `accept` returns false. */
  take(pattern: RegExp, accept?: (match: RegExpExecArray) => boolean): RegExpExecArray | undefined;
  isAtEnd(): boolean;
}

function scan(text: string): Scanner {
  let at = 0;
  return {
    isAtEnd: () => at >= text.length,
    take(pattern, accept = () => true) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match || !accept(match)) return undefined;
      at += match[0].length;
      return match;
    },
  };
}

/** Grammar: `[+-] [field:[-]] value { | value }`. After a sign, only the name of a known field counts as a field. */
export function splitParts(query: string, isField: (name: string) => boolean): Part[] {
  const { take, isAtEnd } = scan(query);
  const parts: Part[] = [];
  for (take(BLANKS); !isAtEnd(); take(BLANKS)) {
    const sign = take(SIGN)?.[0];
    const field = take(PREFIX, ([, name = ""]) => sign === undefined || name === ID || isField(name))?.[1];
    const inner = field === undefined ? undefined : take(INNER_SIGN)?.[0];
    parts.push({ field, negative: sign === "-" || inner === "-", values: takeValues(take) });
  }
  return parts;
}

function takeValues(take: Scanner["take"]): string[] {
  const values: string[] = [];
  for (let match = take(VALUE); match; match = take(BAR) && take(VALUE)) values.push(match[1] ?? match[0]);
  return values;
}
