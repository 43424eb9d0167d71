import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { anchorsOf, deadReferences, readTexts } from "./references.mjs";

test("headings have the anchors of GitHub, the second of two with a number", () => {
  const text = "# Jobs\n\n## From `ready` to active, at last\n\n```\n# no heading\n```\n## Logs\n### Logs\n";
  expect([...anchorsOf(text)]).toEqual(["jobs", "from-ready-to-active-at-last", "logs", "logs-1"]);
});

describe("a broken reference is found", () => {
  const page = ["docs/contract/jobs.md", "# Jobs\n\n## Retries\n"];
  const dead = (path, text) => deadReferences(new Map([page, [path, text]]));
  const named = (rest) => `/** See docs/contract/${rest} and so on. */`;
  test.each([
    ["an existing heading", named("jobs.md#retries"), 0],
    ["an existing page", named("jobs.md"), 0],
    ["a missing heading", named("jobs.md#retry"), 1],
    ["a missing page", named("job.md#retries"), 1],
  ])("in code: %s", (_what, text, count) => {
    expect(dead("packages/core/src/x.ts", text)).toHaveLength(count);
  });

  test.each([
    ["a page beside it", "[jobs](jobs.md#retries)", 0],
    ["a heading of its own", "# Here\n\n[here](#here)", 0],
    ["an address", "[jobs](https://example.org/jobs.md#x)", 0],
    ["a code span", "`[jobs](nowhere.md)`", 0],
    ["a missing page", "[jobs](../jobs.md)", 1],
    ["a missing heading", "# Here\n\n[there](#there)", 1],
  ])("on a page: %s", (_what, text, count) => {
    expect(dead("docs/contract/limits.md", text)).toHaveLength(count);
  });
});

test("every reference of this repository leads somewhere", () => {
  expect(deadReferences(readTexts(fileURLToPath(new URL("../..", import.meta.url))))).toEqual([]);
});
