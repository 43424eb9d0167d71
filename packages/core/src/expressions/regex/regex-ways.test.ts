import { describe, expect, test } from "vitest";
import { threadMs } from "../../../test/thread-time.ts";
import { compilesQuickly } from "./regex-ways.ts";

const times = (text: string, count: number): string => text.repeat(count);

/** Patterns that block the process for seconds to hours while they are compiled, which no time limit interrupts. */
const slow: readonly string[] = [
  `${times("a?", 40)}${times("a", 40)}`,
  `(${times("a?", 200)}${times("a", 200)})`,
  `${times("a?", 64)}${times("b", 10)}`,
  `${times("a??", 64)}${times("a", 64)}`,
  `${times("(?:a|)", 40)}${times("a", 40)}`,
  `${times("a{0,3}", 40)}${times("a", 40)}`,
  `${times("[a-z]?[0-9]?", 30)}${times("x", 10)}`,
  `(?=${times("a?", 40)}${times("a", 40)})`,
  `(?<name>${times("a?", 40)}${times("a", 40)})+`,
  `x*(?:${times("a?", 40)}${times("a", 40)})*`,
  `(?:(?:(?:a?a?){3}){3}){3}${times("a", 10)}`,
  `[(]${times("\\w?", 40)}${times("\\d", 10)}`,
];

/** Patterns as people write them. */
const quick: readonly string[] = [
  "",
  ".+",
  "error|warn|fail|critical|fatal|panic",
  "(a+)+$",
  times("a?", 16) + times("a", 16),
  times("(?:a|aa)", 120),
  times(".*", 400),
  times("\\d{1,3}\\.", 100),
  "^\\s*\\d{4}-\\d{1,2}-\\d{1,2}[T ]\\d{1,2}:\\d{1,2}(:\\d{1,2}(\\.\\d{1,6})?)?(Z|[+-]\\d{2}:?\\d{2})?\\s+(\\w+):?\\s*(.*)$",
  "\\(?\\+?\\d{0,3}\\)?[-. ]?\\(?\\d{1,4}\\)?[-. ]?\\d{1,4}[-. ]?\\d{1,4}[-. ]?\\d{1,9}",
  "(([\\da-f]{1,4}:){7,7}[\\da-f]{1,4}|([\\da-f]{1,4}:){1,7}:|([\\da-f]{1,4}:){1,6}:[\\da-f]{1,4}|:((:[\\da-f]{1,4}){1,7}|:))",
];

describe("patterns that are expensive to compile", () => {
  test.each(slow)("%s is recognised without compiling it", (pattern) => {
    let answer = true;
    expect(threadMs(() => (answer = compilesQuickly(pattern)))).toBeLessThan(50);
    expect(answer).toBe(false);
  });

  test.each(quick)("%s is not among them", (pattern) => {
    expect(compilesQuickly(pattern)).toBe(true);
    const regex = new RegExp(pattern);
    // The first match compiles, once for narrow and once for wide characters.
    expect(threadMs(() => regex.test("q") && regex.test("q\u1234"))).toBeLessThan(50);
  });

  test("groups a thousand levels deep are refused unread", () => {
    expect(compilesQuickly(`${times("(", 2000)}a${times(")", 2000)}`)).toBe(false);
  });
});
