import { expect, test } from "vitest";
import { blocksOf, isSafeLink, spansOf } from "./parse.ts";

const text = (value: string) => ({ kind: "text", text: value });

test.each([
  ["plain", [text("plain")]],
  ["a **b** c", [text("a "), { kind: "bold", spans: [text("b")] }, text(" c")]],
  ["`<b>`", [{ kind: "code", text: "<b>" }]],
  ["~~old~~", [{ kind: "strike", spans: [text("old")] }]],
  ["snake_case_name", [text("snake_case_name")]],
  ["[x](javascript:alert)", [text("[x](javascript:alert)")]],
  ["[x](https://a.example/x_(y))", [{ kind: "link", href: "https://a.example/x_(y)", spans: [text("x")] }]],
  [
    "[a\\](https://evil.example) \\[b](https://a.example)",
    [{ kind: "link", href: "https://a.example", spans: [text("a](https://evil.example) [b")] }],
  ],
  ["[job](#Job?id=j1)", [{ kind: "link", href: "#Job?id=j1", spans: [text("job")] }]],
  [
    "(see https://a.example/x_(y))",
    [
      text("(see "),
      { kind: "link", href: "https://a.example/x_(y)", spans: [text("https://a.example/x_(y)")] },
      text(")"),
    ],
  ],
  ["<https://a.example/x>", [{ kind: "link", href: "https://a.example/x", spans: [text("https://a.example/x")] }]],
])("marks of the line %s", (line, spans) => {
  expect(spansOf(line)).toEqual(spans);
});

test.each([
  ["## Title", [{ kind: "heading", level: 2, spans: [text("Title")] }]],
  [
    "a\nb\n\nc",
    [
      { kind: "paragraph", lines: [[text("a")], [text("b")]] },
      { kind: "paragraph", lines: [[text("c")]] },
    ],
  ],
  [
    "```\n<x>\n**\n```\nend",
    [
      { kind: "code", text: "<x>\n**" },
      { kind: "paragraph", lines: [[text("end")]] },
    ],
  ],
  ["```\nopen", [{ kind: "code", text: "open" }]],
  ["- a\n- [x] b", [{ kind: "list", isOrdered: false, items: [[text("a")], [text("☑ b")]] }]],
  ["1. a\n2. b", [{ kind: "list", isOrdered: true, items: [[text("a")], [text("b")]] }]],
  ["> said", [{ kind: "quote", blocks: [{ kind: "paragraph", lines: [[text("said")]] }] }]],
  ["---", [{ kind: "rule" }]],
  [
    "| a | b |\n|---|---|\n| 1 | 2 |",
    [
      {
        kind: "table",
        rows: [
          [[text("a")], [text("b")]],
          [[text("1")], [text("2")]],
        ],
      },
    ],
  ],
  ["<script>alert(1)</script>", [{ kind: "paragraph", lines: [[text("<script>alert(1)</script>")]] }]],
])("blocks of %j", (source, blocks) => {
  expect(blocksOf(source)).toEqual(blocks);
});

test.each([
  ["https://a.example", true],
  ["mailto:a@b.example", true],
  ["/jobs/j1", true],
  ["//evil.example", false],
  ["javascript:alert(1)", false],
  ["data:text/html,x", false],
])("%s may be followed: %s", (href, isSafe) => {
  expect(isSafeLink(href)).toBe(isSafe);
});

test("a long hostile text is read in linear steps", () => {
  const started = process.cpuUsage().user;
  blocksOf("**[`_".repeat(40_000));
  blocksOf(`${">".repeat(50_000)}\n`.repeat(3));
  expect((process.cpuUsage().user - started) / 1000).toBeLessThan(1000);
});
