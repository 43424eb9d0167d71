import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stripTags, stripTagsOutsideMacros } from "./strip-tags.ts";

describe("removing tags", () => {
  test.each([
    ["plain", "plain", "plain"],
    ["<b>x</b>", "x", "x"],
    ["a < b > c", "a  c", "a < b > c"],
    ["<!-- c -->x", "x", "x"],
    ["a <b", "a <b", "a <b"],
    ["{{ a <b> c }}", "{{ a  c }}", "{{ a <b> c }}"],
    ["<i>{{x}}</i>", "{{x}}", "{{x}}"],
    ["<scr<b>ipt>", "ipt>", "ipt>"],
  ])("%j", (text, tags, outside) => {
    expect(stripTags(text)).toBe(tags);
    expect(stripTagsOutsideMacros(text)).toBe(outside);
  });

  test("agrees with the patterns of the contract on any text", async () => {
    const part = fc.constantFrom("<", ">", "a", "/", " ", "{", "}", "{{", "}}", "\n", "\u2028", "<b>");
    const text = fc.array(part, { maxLength: 25 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.property(text, (value) => {
        expect(stripTags(value)).toBe(value.replace(/<[^>]*>/g, ""));
        expect(stripTagsOutsideMacros(value)).toBe(
          value.replace(/\{\{.+?\}\}|<[a-zA-Z/!?][^>]*>/g, (match) => (match.startsWith("{{") ? match : "")),
        );
      }),
      { numRuns: 5000 },
    );
  });

  test.each(["<", "<a", "{{", "{{<a", "{{x\n", "}}{{"])(
    "many repetitions of %j cost no more than their length",
    (unit) => {
      const text = unit.repeat(500_000);
      const before = process.threadCpuUsage();
      for (const strip of [stripTags, stripTagsOutsideMacros]) expect(strip(text)).toBe(text);
      const { user } = process.threadCpuUsage(before);
      // Regular expressions need minutes for this, a scan needs milliseconds. The bound is in microseconds.
      expect(user).toBeLessThan(3_000_000);
    },
  );
});
