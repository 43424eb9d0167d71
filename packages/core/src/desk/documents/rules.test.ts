import { describe, expect, test } from "vitest";
import { anchorOf, findSections, sectionsOf } from "./rules.ts";

test.each([
  ["Rotate by a call", "rotate-by-a-call"],
  ["What jobs can see of it", "what-jobs-can-see-of-it"],
  ["`keys` and (other) things!", "keys-and-other-things"],
  ["Über 10 Dinge", "über-10-dinge"],
])("%s is linked as #%s", (heading, anchor) => {
  expect(anchorOf(heading)).toBe(anchor);
});

const PAGE =
  "# Secrets\nKept well.\n\n## Rotate\nMake a key.\n```sh\n# no heading\nmake key\n```\n## Read\nOpen one.\n";
const sections = sectionsOf("guide/secrets", PAGE);

test("a page is split into sections at its headings, but not inside code blocks", () => {
  expect(sections.map(({ anchor }) => anchor)).toEqual(["secrets", "rotate", "read"]);
  expect(sections[1]?.markdown).toBe("## Rotate\nMake a key.\n```sh\n# no heading\nmake key\n```");
});

test("text before the first heading belongs to the page", () => {
  expect(sectionsOf("a", "text\n# B\nmore")).toMatchObject([{ anchor: "a", markdown: "text" }, { anchor: "b" }]);
});

describe("a question finds", () => {
  test.each([
    ["KEY make", ["rotate"]],
    ["secrets", ["secrets"]],
    ["open one rotate", []],
    ["   ", []],
    ["(.*", []],
  ])("%j in %j", (query, anchors) => {
    expect(findSections(sections, query).map(({ anchor }) => anchor)).toEqual(anchors);
  });

  test("headings before texts", () => {
    const page = sectionsOf("p", "# One\nabout two\n# Two\nabout two");
    expect(findSections(page, "two").map(({ heading }) => heading)).toEqual(["Two", "One"]);
  });
});
