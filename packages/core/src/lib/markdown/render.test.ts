import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { threadMs } from "../../../test/thread-time.ts";
import { renderMarkdown } from "./render.ts";

describe("Markdown", () => {
  test.each([
    ["# A\ntext\nmore", "<h1>A</h1>\n<p>text\nmore</p>"],
    ["## a # b  ##\n# C#\n# ##", "<h2>a # b</h2>\n<h1>C#</h1>\n<h1>##</h1>"],
    ["1. a\n2. b\n\n* c", "<ol><li>a</li><li>b</li></ol>\n<ul><li>c</li></ul>"],
    ["a\n\n---\n\nb", "<p>a</p>\n<hr>\n<p>b</p>"],
    ["**a** *b* snake_case 2 * 3", "<p><strong>a</strong> <em>b</em> snake_case 2 * 3</p>"],
    ["**open", "<p><strong>open</strong></p>"],
    ["[a](javascript:alert(1))", "<p>a</p>"],
    ["[a](https://x/y_(z))", '<p><a href="https://x/y_(z)">a</a></p>'],
    ["[a](javascript:alert)", "<p>a</p>"],
    ['[a](https://x/"onload="y)', '<p><a href="https://x/&quot;onload=&quot;y">a</a></p>'],
    ["a\r\nb", "<p>a\nb</p>"],
    ["a | b", "<p>a | b</p>"],
    ["a | b\n--- | x", "<p>a | b\n--- | x</p>"],
    ["a | b\n---", "<p>a | b\n---</p>"],
  ])("%j becomes HTML", (text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  test.each<[string, string[][], string]>([
    [
      "| a | b |\n|---|:-:|\n| 1 | **2** |",
      [
        ["a", "b"],
        ["1", "<strong>2</strong>"],
      ],
      "",
    ],
    [
      "a | b\n- | -\n1 | 2\nafter",
      [
        ["a", "b"],
        ["1", "2"],
      ],
      "\n<p>after</p>",
    ],
    ["|a|\n|-|\n|x\\|y\\*|\n\nafter", [["a"], ["x|y*"]], "\n<p>after</p>"],
    ["|a|b|\n|-|-|\n|1|\n|1|2|3|\n|<b>||", [["a", "b"], ["1"], ["1", "2"], ["&lt;b&gt;", ""]], ""],
  ])("%j becomes a table", (text, rows, after) => {
    const html = renderMarkdown(text).replace(/ style="[^"]*"/g, "");
    const [header = [], ...others] = rows;
    const row = (cells: readonly string[], tag: string) =>
      `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
    expect(html).toBe(`<table>${row(header, "th")}${others.map((cells) => row(cells, "td")).join("")}</table>${after}`);
  });

  test("a table ends the paragraph before it", () => {
    expect(renderMarkdown("a\nb\n|c|\n|-|")).toMatch(/^<p>a\nb<\/p>\n<table/);
  });

  test("removes all tags of the text", () => {
    const parts = fc.array(
      fc.constantFrom(
        "<script>",
        "`",
        "*",
        "**",
        "[",
        "](",
        ")",
        "https://",
        "\n",
        "#",
        ">",
        "a",
        "\\",
        "```",
        "|",
        "|-|\n",
      ),
    );
    void fc.assert(
      fc.property(parts, (all) => {
        const html = renderMarkdown(all.join(""));
        const allowed =
          /<\/?(?:p|h[1-6]|ul|ol|li|hr|br|strong|em|pre|code|blockquote|a|table|tr|th|td)(?: (?:href|style)="[^"<>]*")?>/g;
        expect(html.replace(allowed, "")).not.toContain("<");
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    "*",
    "[",
    "`",
    "**a",
    "[a](",
    "[a](b(c)",
    "\n> ",
    "\n- ",
    "```\n",
    "https://a ",
    " ",
    "# ",
    "|",
    "|\n",
    "a|b\n",
    "|-|\n",
    "\\|",
  ])("takes time by the length alone: %j", (unit) => {
    const text = `# a${unit.repeat(Math.floor(200_000 / unit.length))}x`;
    expect(threadMs(() => renderMarkdown(text))).toBeLessThan(2000);
  });
});
