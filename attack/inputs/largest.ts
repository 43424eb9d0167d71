/** The largest values that a body may hold, by the valid value in their place. */
type Members = Record<string, unknown>;

const MB = 1_000_000;
/** A body has at most 16 MB, 100,000 members, and 5,000 members in one object. */
const TEXT_BYTES = 15 * MB;
const ELEMENTS = 90_000;
const WIDTH = 4900;
const LEVELS = 18;

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** Distinct words: a search index would keep every one of them. */
const TEXT = many(Math.floor(TEXT_BYTES / 9), (at) => at.toString(36).padStart(8, "w")).join(" ");
/** The longest text that a top-level member may have. */
const MOST_TEXT = TEXT.slice(0, 2_097_152);
const WORDS = many(ELEMENTS, (at) => `word${at}`);
/** As many elements as a record may have, close to the megabyte it may have. */
const RECORD_WORDS = many(48_000, (at) => `word_number_${at}`);
const RECORD_MEMBERS = 15_000;
const NUMBERS = many(ELEMENTS, (at) => at);
const WIDE = Object.fromEntries(many(WIDTH, (at) => [`member${at}`, "x".repeat(2000)]));
const WIDE_TREE = Object.fromEntries(
  many(LEVELS, (at) => [`part${at}`, Object.fromEntries(many(WIDTH, (n) => [`m${at}_${n}`, n]))]),
);
/** A tree with as many members and names as a record may have. */
const SAME_TREE = Object.fromEntries(
  many(3, (at) => [`part${at}`, Object.fromEntries(many(WIDTH, (n) => [`m${n}`, n % 10]))]),
);
/** A tree with as many names as data may have. */
const NAMED_TREE = Object.fromEntries(
  many(4, (at) => [`part${at}`, Object.fromEntries(many(WIDTH, (n) => [`m${at}_${n}`, "x".repeat(20)]))]),
);

/** A value with its name, for the report. */
export type Named = readonly [what: string, value: unknown];

export function largestOf(right: unknown): readonly Named[] {
  const numbers: Named = ["90,000 numbers", NUMBERS];
  if (typeof right === "string") return [["15 MB of words", TEXT], ["2 MB of words", MOST_TEXT], numbers];
  if (Array.isArray(right))
    return [
      numbers,
      ["90,000 words", WORDS],
      ["48,000 words", RECORD_WORDS],
      ["as many elements as a body may have", repeated(right, ELEMENTS)],
      ["as many elements as a record may have", repeated(right, RECORD_MEMBERS)],
    ];
  if (typeof right === "object" && right !== null)
    return [
      numbers,
      ["4,900 members", WIDE],
      ["18 objects of 4,900 members", WIDE_TREE],
      ["3 objects of 4,900 like members", SAME_TREE],
      ["19,600 names", NAMED_TREE],
      ["right members and 4,900 more", { ...(right as Members), ...WIDE }],
    ];
  return [numbers];
}

/** Repeats the elements of a valid list, each with a different id where it has one. */
function repeated(list: readonly unknown[], most: number): unknown[] {
  const elements = list.length > 0 ? list : [{}];
  const count = Math.floor(most / Math.max(...elements.map(countMembers)));
  return many(count, (at) => {
    const element = elements[at % elements.length];
    return typeof element === "object" && element !== null && "id" in element ? { ...element, id: `id${at}` } : element;
  });
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + countMembers(member), 1);
}
