import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../test/rounds.ts";
import { threadMs } from "../../../test/thread-time.ts";
import { analyseKeywords, analyseWords, ENTRY_BREAK, hasLongWord, tokensOf } from "./analyse.ts";
import { analyseText, separateEntries } from "./analyse-text.ts";

describe("the words of", () => {
  test.each<[unknown, string[]]>([
    ["Joe.Doe_x", ["joe", "doe_x"]],
    ["Café CAFÉ", ["cafe", "cafe"]],
    [
      "Straße Æsop œuvre Ørsted Đông Łódź Þór ﬁne ısı",
      [...["strasse", "aesop", "oeuvre", "orsted", "dong", "lodz", "thor", "fine", "isi"]],
    ],
    ["Nancy's Nancy’s", ["nancys", "nancys"]],
    ["v2.5. then 10.0.0.1", ["v2_5", "then", "10_0_0_1"]],
    ["ends at 5.Then", ["ends", "at", "5", "then"]],
    ["fe80::1", ["fe80", "1"]],
    ["see https://wiki.example.org:8080/a/b?c=d#e now", ["see", "wiki", "example", "org", "8080", "now"]],
    ["東京 tower", ["東", "京", "tower"]],
    ["⺀x〇", ["x", "〇"]],
    ["Ελληνικά", ["ελληνικα"]],
    ["a,b;c|d*", ["a", "b", "c", "d"]],
    [
      ["x", 5, true, null, { a: 1 }],
      ["x", "5", "true"],
    ],
    [undefined, []],
    ["x".repeat(129), []],
  ])("%j", (value, words) => {
    expect(analyseWords(value)).toEqual(words);
  });

  test("a text are bounded in length and number", () => {
    expect(analyseWords("abcde abcdef", 5)).toEqual(["abcde"]);
    expect(analyseWords("a ".repeat(6000))).toHaveLength(5000);
  });
});

test("Hangul are as long as written, within the bounds of all storages", () => {
  const lengths = [64, 166, 167, 255].map((length) => analyseKeywords("각".repeat(length)).map((word) => word.length));
  expect(lengths).toEqual([[192], [498], [], []]);
  expect(hasLongWord("각".repeat(32), 32)).toBe(false);
  expect(hasLongWord("각".repeat(33), 32)).toBe(true);
});

describe("the keywords of", () => {
  test.each<[unknown, string[]]>([
    ["in_progress", ["in_progress"]],
    ["infra,urgent infra", ["infra", "urgent"]],
    [true, ["true"]],
    [
      ["A", "b c"],
      ["a", "b", "c"],
    ],
    ["", []],
  ])("%j", (value, words) => {
    expect(analyseKeywords(value)).toEqual(words);
  });

  test.each<[unknown, string[]]>([
    ["linus.t", ["linus_t"]],
    ["projector@example.org", ["projector_example_org"]],
    ["22.04", ["22_04"]],
    ["Red Hat  Enterprise", ["red_hat_enterprise"]],
    [
      ["ada", "linus.t"],
      ["ada", "linus_t"],
    ],
    ["cafe\u0301.x", ["cafe_x"]],
  ])("the name %j", (value, words) => {
    expect(analyseKeywords(value, { alphanum: true })).toEqual(words);
  });

  test("a long list are bounded", () => {
    expect(analyseKeywords(Array.from({ length: 1000 }, (_unused, n) => `k${n}`))).toHaveLength(255);
  });
});

describe("the text of", () => {
  test.each<[unknown, string[]]>([
    ["The lamps are rebooting", ["the", "lamp", "ar", "reboot"]],
    [
      ["mary_k", "Subject", "Body"],
      ["mary_k", "subject", "bodi"],
    ],
    ["a\n```js\nsecret\n```\nb", ["a", "b"]],
    ["a\n~~~\nsecret\n~~~~\nb", ["a", "b"]],
    ["a\n```\nnever closed", ["a", "never", "close"]],
    ["a ``` b ``` c", ["a", "b", "c"]],
    ["<b>odd</b> &amp; <!-- gone --> load < 5 and x > 9 &#65;&#x42;", [...["odd", "load", "5", "and", "x", "9", "ab"]]],
    ["open <b never closed", ["open", "b", "never", "close"]],
    ["&#1114112; &bogus; &#x110000;", ["1114112", "bogu", "x110000"]],
    [`${"x".repeat(33)} short`, ["short"]],
    [`${"한".repeat(32)} ${"글".repeat(33)} 짧은`, ["한".repeat(32), "짧은"].map((word) => word.normalize("NFD"))],
  ])("Markdown %j", (value, words) => {
    expect(analyseText(value, { markup: "markdown" })).toEqual(words);
  });

  test("entries are kept apart", () => {
    expect(separateEntries([["a", "b"], ["c"], []])).toEqual(["a", "b", ENTRY_BREAK, "c", ENTRY_BREAK]);
    expect(analyseText(ENTRY_BREAK)).toEqual([]);
    expect(analyseWords(ENTRY_BREAK)).toEqual([]);
  });

  test("a subject can be cut", () => {
    expect(analyseText("one two three", { maxWords: 2 })).toEqual(["on", "two"]);
  });
});

/** Any characters, lone surrogates included. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x10ffff }), fc.integer({ min: 0, max: 0x2ff })), { maxLength: 12 })
  .map((points) => String.fromCodePoint(...points));

describe("the analysis", () => {
  test("of its own words gives the same words", async () => {
    await fc.assert(
      fc.property(anyText, (text) => {
        const words = analyseWords(text);
        expect(analyseWords(words.join(" ")).join(" ")).toBe(words.join(" "));
      }),
      { numRuns: rounds(400, 2000) },
    );
  });

  test("gives letters, digits and underscores only", async () => {
    await fc.assert(
      fc.property(anyText, (text) => {
        for (const word of [...analyseText(text, { markup: "markdown" }), ...analyseKeywords(text)])
          expect(word).toMatch(/^[\p{L}\p{N}_]+$/u);
      }),
      { numRuns: rounds(400, 2000) },
    );
  });

  const units = [
    "<",
    "<a",
    "</",
    "&",
    "&#",
    "&#1",
    "```\n",
    "~~~a\n",
    "1.",
    ".",
    "'",
    "a://",
    "_",
    "é",
    "東",
    "\n",
    "<!--",
  ];
  test.each(units)("of a long run of %j costs no more than its length", (unit) => {
    const text = unit.repeat(200_000 / unit.length);
    expect(threadMs(() => analyseText(text, { markup: "markdown" }))).toBeLessThan(1500);
  });
});

const MANY = Number.MAX_SAFE_INTEGER;

test("of a long text gives the tokens of its lines, up to the requested number", async () => {
  const letters = [..."ab  B9.'’:/_-éßŁ東", "e\u0301", "http://a.b/c"];
  const line = fc.array(fc.constantFrom(...letters), { maxLength: 60 }).map((each) => each.join(""));
  await fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
      const longLines = Array.from({ length: 3000 }, (_, at) => `${lines[at % lines.length]} ${at}`);
      const expected = longLines.flatMap((each) => tokensOf(each, 32, MANY));
      const text = longLines.join("\n").slice(0, 490_000);
      expect(tokensOf(text, 32, 2000)).toEqual(expected.slice(0, 2000));
      fc.pre(text.length < 490_000);
      expect(tokensOf(text, 32, MANY)).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test("of plain text gives the tokens that it has beside a letter that must be folded", async () => {
  const ascii = fc.stringMatching(/^[ -~]{0,40}$/);
  const parts = fc.array(fc.constantFrom("a", "B9", ".", "1.2", "://", "http://a.b/c", "'", "_", " ", "-", "7."), {
    maxLength: 8,
  });
  await fc.assert(
    fc.property(
      fc.oneof(
        ascii,
        parts.map((each) => each.join("")),
      ),
      (text) => {
        expect(tokensOf(text, 32, MANY)).toEqual(tokensOf(`${text} \n é`, 32, MANY).slice(0, -1));
      },
    ),
    { numRuns: rounds(400, 2000) },
  );
});
