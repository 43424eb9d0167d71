/**
 * Estimates the cost of compiling a pattern. The JavaScript engine looks ahead up to eight characters when it compiles, along
 * every way through the pattern, and no time limit interrupts it: forty optional characters in a row would block the process for
 * hours. So the ways are counted first.
 */

/** Most ways of at most eight characters that compiling may follow: some milliseconds. */
const MAX_WAYS = 500_000;
const LOOK_AHEAD = 8;
/** The compiler unrolls repetitions up to this count; others become loops, which its look-ahead skips. */
const WRITTEN_OUT = 3;
/** Most copies that nested unrolled repetitions may make. */
const MAX_PARTS = 100_000;
const MAX_DEPTH = 500;

type Part =
  | { readonly type: "character" | "nothing" }
  | { readonly type: "sequence" | "choice"; readonly parts: readonly Part[] }
  | { readonly type: "repeat"; readonly body: Part; readonly min: number; readonly max: number };

/** Number of ways by the remaining characters of look-ahead, from none to eight. */
type Ways = readonly number[];

const END: Ways = new Array<number>(LOOK_AHEAD + 1).fill(1);

/** False for a pattern that takes too long to compile. An invalid pattern counts as quick: parsing refuses it. */
export function compilesQuickly(pattern: string): boolean {
  const part = readPattern(pattern);
  if (!part) return false;
  const counter: Counter = { most: 0, parts: 0 };
  waysThrough(part, END, counter);
  return counter.most <= MAX_WAYS && counter.parts <= MAX_PARTS;
}

interface Counter {
  most: number;
  parts: number;
}

/** The ways through a part and on through its successors. */
function waysThrough(part: Part, after: Ways, counter: Counter): Ways {
  counter.parts += 1;
  // Over the limit already: the exact number does not matter.
  if (counter.most > MAX_WAYS || counter.parts > MAX_PARTS) return after;
  const ways = waysOf(part, after, counter);
  counter.most = Math.max(counter.most, ways[LOOK_AHEAD] ?? 0);
  return ways;
}

function waysOf(part: Part, after: Ways, counter: Counter): Ways {
  switch (part.type) {
    case "nothing":
      return after;
    case "character":
      return longer(after);
    case "sequence":
      return part.parts.reduceRight((rest, inner) => waysThrough(inner, rest, counter), after);
    case "choice":
      return part.parts.map((inner) => waysThrough(inner, after, counter)).reduce(sum);
    case "repeat":
      return waysOfRepeat(part, after, counter);
  }
}

type Repeat = Extract<Part, { type: "repeat" }>;

/** `x{2,4}` is compiled as `xx(x(x)?)?`. */
function waysOfRepeat({ body, min, max }: Repeat, after: Ways, counter: Counter): Ways {
  const optional = max - min;
  if (min > WRITTEN_OUT || optional > WRITTEN_OUT) {
    waysThrough(body, END, counter);
    return END;
  }
  let ways = after;
  for (let copy = 0; copy < optional; copy++) ways = sum(after, waysThrough(body, ways, counter));
  for (let copy = 0; copy < min; copy++) ways = waysThrough(body, ways, counter);
  return ways;
}

/** Adds the ways for each remaining look-ahead; with none left, all ways are one. */
const sum = (one: Ways, other: Ways): Ways => one.map((count, left) => (left === 0 ? 1 : count + (other[left] ?? 0)));
const longer = (ways: Ways): Ways => [1, ...ways.slice(0, LOOK_AHEAD)];

interface Reader {
  readonly pattern: string;
  index: number;
  /** Nesting depth of groups. */
  depth: number;
}

/** Parses the parts of a pattern; undefined when groups are nested unreasonably deep. */
function readPattern(pattern: string): Part | undefined {
  const reader: Reader = { pattern, index: 0, depth: 0 };
  const options: Part[] = [];
  // A bracket that closes no group is a literal character.
  while (reader.index < pattern.length) {
    const option = readChoice(reader);
    if (!option) return undefined;
    options.push(option);
    reader.index += 1;
  }
  return { type: "sequence", parts: options };
}

function readChoice(reader: Reader): Part | undefined {
  const parts: Part[] = [];
  do {
    const sequence = readSequence(reader);
    if (!sequence) return undefined;
    parts.push(sequence);
  } while (accept(reader, "|"));
  return parts.length === 1 ? parts[0] : { type: "choice", parts };
}

function readSequence(reader: Reader): Part | undefined {
  const parts: Part[] = [];
  while (reader.index < reader.pattern.length && !/[|)]/.test(reader.pattern[reader.index] ?? "")) {
    const atom = readAtom(reader);
    if (!atom) return undefined;
    parts.push(readQuantified(atom, reader));
  }
  return { type: "sequence", parts };
}

const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;

function readQuantified(body: Part, reader: Reader): Part {
  const [sign, low = "", comma, high] = take(reader, QUANTIFIER)?.slice(1) ?? [];
  if (sign === "?") return { type: "repeat", body, min: 0, max: 1 };
  if (sign) return { type: "repeat", body, min: sign === "+" ? 1 : 0, max: Number.POSITIVE_INFINITY };
  if (low === "") return body;
  const max = comma ? Number(high || Number.POSITIVE_INFINITY) : Number(low);
  return { type: "repeat", body, min: Number(low), max };
}

const ASSERTION = /\\[bB]|[$^]/y;
const CLASS = /\[(?:[^\]\\]|\\[\s\S])*\]?/y;
const ESCAPE = /\\(?:x[\da-f]{2}|u[\da-f]{4}|k<[^>]*>|c[a-z]|\d+|[\s\S])?/iy;
/** Kinds of groups: capturing, named, non-capturing, with other flags, look-around. */
const GROUP = /\((?:\?(?:<[^=!>][^>]*>|[\w-]*:|<?[=!]))?/y;

function readAtom(reader: Reader): Part | undefined {
  if (take(reader, ASSERTION)) return { type: "nothing" };
  if (take(reader, GROUP)) return readGroup(reader);
  if (take(reader, CLASS) || take(reader, ESCAPE)) return { type: "character" };
  reader.index += 1;
  return { type: "character" };
}

function readGroup(reader: Reader): Part | undefined {
  if (reader.depth >= MAX_DEPTH) return undefined;
  reader.depth += 1;
  const inner = readChoice(reader);
  reader.depth -= 1;
  accept(reader, ")");
  return inner;
}

function take(reader: Reader, expected: RegExp): RegExpExecArray | null {
  expected.lastIndex = reader.index;
  const found = expected.exec(reader.pattern);
  if (found) reader.index += found[0].length;
  return found;
}

function accept(reader: Reader, text: string): boolean {
  if (!reader.pattern.startsWith(text, reader.index)) return false;
  reader.index += text.length;
  return true;
}
