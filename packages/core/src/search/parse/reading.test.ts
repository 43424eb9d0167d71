import * as fc from "fast-check";
import { expect, test } from "vitest";
import { START, startEngine } from "../../../test/engine.ts";
import { rounds } from "../../../test/rounds.ts";

/** The members that queries of this test look at. */
interface Doc {
  readonly id: string;
  readonly num: number;
  readonly username: string;
  readonly subject: string;
  readonly body: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly due: number;
}

/** A part of a query: `-tags:infra|"red cat"`. */
interface Part {
  readonly sign: string;
  /** `undefined` = a part without a field. */
  readonly field?: string | undefined;
  readonly minus?: string;
  readonly values: readonly string[];
}

/** Whether a ticket matches; `undefined` = the values mean nothing; "unreadable" = a range that cannot be read. */
type Match = ((doc: Doc) => boolean) | "unreadable" | undefined;

const LATIN: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", Æ: "ae" };

/** Words of a text (docs/contract/search.md#text); the vocabulary below has no word that stemming changes. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}|['’]/gu, "")
    .replace(/[ßæÆ]/g, (letter) => LATIN[letter] ?? letter)
    .replace(/(?<=\d)\.+(?=\d)/g, "_")
    .toLowerCase()
    .match(/[\p{L}\p{N}_]+/gu) ?? [];

const hasPhrase = (words: readonly string[], phrase: readonly string[]): boolean =>
  words.some((_word, start) => phrase.every((word, index) => words[start + index] === word));

const texts: Readonly<Record<string, (doc: Doc) => string[]>> = {
  subject: ({ subject }) => wordsOf(subject),
  body: ({ username, subject, body }) => wordsOf(`${username} ${subject} ${body}`),
};
const terms: Readonly<Record<string, (doc: Doc) => string[]>> = {
  status: ({ status }) => wordsOf(status),
  tags: ({ tags }) => tags.flatMap(wordsOf),
};

const dayOf = (time: number): number => Math.floor(time / 86_400);
const DAYS: Readonly<Record<string, number>> = { today: 0, now: 0, yesterday: -1 };

function readDay(text: string): number {
  const named = DAYS[text.toLowerCase()];
  if (named !== undefined) return dayOf(START) + named;
  return /^\d{4}-\d\d-\d\d$/.test(text) ? dayOf(Date.parse(text) / 1000) : Number.NaN;
}

const typed: Readonly<Record<string, { of(doc: Doc): number; read(text: string): number }>> = {
  num: { of: ({ num }) => num, read: (text) => Number.parseInt(text.replace(/\..*/, "").replace(/[^\d-]/g, ""), 10) },
  // Comparisons with NaN are false: a ticket that is never due never matches.
  due: { of: ({ due }) => (due === 0 ? Number.NaN : dayOf(due)), read: readDay },
};

const COMPARE: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  ">": (one, other) => one > other,
  ">=": (one, other) => one >= other,
  "<": (one, other) => one < other,
  "<=": (one, other) => one <= other,
  "=": (one, other) => one === other,
};

function typedMatch(field: string, value: string): Match {
  const { of, read } = typed[field] as (typeof typed)[string];
  if (value.includes("..")) {
    const [low = Number.NaN, high = Number.NaN] = value.split("..").map(read);
    return Number.isNaN(low + high) ? "unreadable" : (doc) => of(doc) >= low && of(doc) <= high;
  }
  const [, operator = "=", rest = ""] = /^([<>]=?|=)?(.*)$/.exec(value) ?? [];
  const bound = read(rest);
  return Number.isNaN(bound) ? undefined : (doc) => COMPARE[operator]?.(of(doc), bound) ?? false;
}

function matchOf(field: string, values: readonly string[]): Match {
  if (field in typed) {
    const all = values.map((value) => typedMatch(field, value));
    if (all.includes("unreadable")) return "unreadable";
    const read = all.filter((match) => typeof match === "function");
    return read.length > 0 ? (doc) => read.some((match) => match(doc)) : undefined;
  }
  const sought = values.map(wordsOf).filter((words) => words.length > 0);
  if (sought.length === 0) return undefined;
  const text = texts[field];
  if (text) return (doc) => sought.some((phrase) => hasPhrase(text(doc), phrase));
  return (doc) => sought.some((words) => words.every((word) => terms[field]?.(doc).includes(word)));
}

const isNegative = ({ sign, minus = "" }: Part): boolean => sign === "-" || minus === "-";

/** The field of a part without one (docs/contract/search.md#parts-without-a-field). */
function fieldAfter(
  last: string,
  part: Part,
  before: { readonly field: string; readonly isNegative: boolean },
): string {
  if (last in texts || last === "tags" || last === "none") return last;
  if (last in typed) return part.values.every((value) => typeof typedMatch(last, value) === "function") ? last : "body";
  return isNegative(part) && before.isNegative && before.field === last ? last : "body";
}

/** A slow reading of the contract: whether a query finds a ticket. */
function reading(parts: readonly Part[]): (doc: Doc) => boolean {
  let last = "body";
  let before = { field: "", isNegative: false };
  const found: { match: Match; isNegative: boolean }[] = [];
  for (const part of parts) {
    const field = part.field ?? fieldAfter(last, part, before);
    last = part.field ?? last;
    before = { field, isNegative: isNegative(part) };
    if (field !== "none") found.push({ match: matchOf(field, part.values), isNegative: isNegative(part) });
  }
  if (found.some(({ match }) => match === "unreadable")) return () => false;
  const holds = (doc: Doc, negative: boolean): boolean[] =>
    found.flatMap(({ match, isNegative: is }) => (typeof match === "function" && is === negative ? [match(doc)] : []));
  return (doc) => {
    const wanted = holds(doc, false);
    return wanted.length > 0 && wanted.every(Boolean) && !holds(doc, true).some(Boolean);
  };
}

const from = (...values: string[]) => fc.constantFrom(...values);
const STORED = [
  "cat",
  "dog",
  "sun",
  "red",
  "map",
  "2.5",
  "on-call",
  "Café",
  "o'map",
  "x_y",
  "a@b.org",
  "(red)",
  "12:30",
];
const words = (maxLength: number) =>
  fc.array(from(...STORED, "ÆON", "straße"), { maxLength }).map((all) => all.join(" "));
const ticket = fc.record({
  subject: words(3).map((all) => `S ${all}`),
  body: words(8),
  status: from("open", "closed", "draft"),
  tags: fc.uniqueArray(from("infra", "db", "red"), { maxLength: 2 }),
  due: fc.constantFrom(0, START - 86_400, START, START + 3 * 86_400),
});

const word = from(
  "cat",
  "dog",
  "red",
  "2.5",
  "on-call",
  "café",
  "omap",
  "x_y",
  "a@b.org",
  "aeon",
  "Straße",
  "open",
  "fir*",
);
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => `"${all.join(" ")}"`);
const number = from("1", ">3", "<=7", ">=2", "<9", "2..5", "=4", "abc", "1..x", "#5", "1,0", "5.7");
const day = from(
  "today",
  "<today",
  ">today",
  "yesterday",
  "2027-01-12",
  ">=2027-01-12",
  "2027-01-01..2027-01-20",
  "soon",
);
const some = (value: fc.Arbitrary<string>) => fc.array(value, { minLength: 1, maxLength: 2 });
const text = fc.oneof({ weight: 4, arbitrary: word }, phrase);
const sign = from("", "", "-", "+");
const minus = from("", "", "-");
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ sign, values: some(fc.oneof({ weight: 3, arbitrary: text }, number)) }),
  fc.record({ sign, field: from("subject", "body", "status", "tags"), minus, values: some(text) }),
  fc.record({ sign, field: from("num"), minus, values: some(number) }),
  fc.record({ sign, field: from("due"), values: some(day) }),
  // With a sign, an unknown field is a word.
  fc.record({ sign: from(""), field: from("none"), values: some(text) }),
);
const written = ({ sign: given, field, minus: inner = "", values }: Part): string =>
  `${given}${field === undefined ? "" : `${field}:${inner}`}${values.join("|")}`;

test("queries in the simple form find the same as a slow implementation of the contract", async () => {
  await using engine = await startEngine();
  for (const id of ["infra", "db", "red"]) await engine.api.createTag({ id, title: id });
  const docs: Doc[] = [];
  for (const [index, each] of fc.sample(ticket, { numRuns: 30, seed: 1 }).entries())
    docs.push((await engine.api.createTicket({ id: `t${index + 10}`, ...each })).ticket as never);
  let hits = 0;
  const parts = fc.array(part, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(parts, async (given) => {
      const query = given.map(written).join(" ");
      const { rows } = await engine.api.searchTickets({ query, limit: 100, sort_dir: 1 });
      const expected = docs.filter(reading(given)).map(({ id }) => id);
      expect([query, rows.map(({ id }) => id)]).toEqual([query, expected]);
      hits += Math.min(expected.length, 1);
    }),
    { numRuns: rounds(400, 20_000) },
  );
  // A law that only held for empty results would prove nothing.
  expect(hits).toBeGreaterThan(50);
});
