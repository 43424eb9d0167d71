import { describe, expect, test } from "vitest";
import { toldContent } from "./told-content.ts";

const expand = (text: string): string => text.replaceAll("{{x}}", "<i>x</i><script>");
const htmlOf = (sent: Record<string, unknown>): unknown => toldContent(sent, expand)["html"];

describe("content that a plugin sends", () => {
  test("as markup keeps allowed tags, also tags from a macro", () => {
    expect(htmlOf({ html: { title: "<b>T</b>", content: "{{x}}", caption: "<img>" } })).toEqual({
      title: "<b>T</b>",
      content: "<i>x</i>&lt;script&gt;",
      caption: "&lt;img&gt;",
    });
  });

  test("as Markdown becomes markup, without tags of its own and without styles", () => {
    const content = "# Done\n**{{x}}** in `a.log`\n\n| a |\n|---|\n| [b](https://x/) |";
    expect(htmlOf({ markdown: { title: "T", content, caption: "c" } })).toEqual({
      title: "T",
      content: [
        "<h1>Done</h1>",
        "<p><strong>&lt;i&gt;x&lt;/i&gt;&lt;script&gt;</strong> in <code>a.log</code></p>",
        '<table><tr><th>a</th></tr><tr><td><a href="https://x/" rel="noopener noreferrer">b</a></td></tr></table>',
      ].join("\n"),
      caption: "c",
    });
  });

  test("as text stands in a preformatted block and holds no markup", () => {
    expect(htmlOf({ text: { content: '{{x}} & "y"' } })).toEqual({
      content: "<pre>&lt;i&gt;x&lt;/i&gt;&lt;script&gt; &amp; &quot;y&quot;</pre>",
    });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ text: "hello" }, "<pre>hello</pre>"],
    [{ markdown: "*hello*" }, "<p><em>hello</em></p>"],
    [{ markdown: "a", text: "b" }, "<p>a</p>"],
    [{ html: "<b>a</b>", markdown: "b" }, "<b>a</b>"],
    [{ html: { title: null, content: null } }, ""],
  ])("%j has the content %j", (sent, content) => {
    expect(htmlOf(sent)).toEqual({ content });
  });

  test("is cut at a megabyte", () => {
    expect((htmlOf({ html: "x".repeat(2_000_000) }) as { content: string }).content).toHaveLength(1024 * 1024);
  });

  test("as Markdown of more than 64 KB stays unformatted", () => {
    const long = "# x\n".repeat(16_384);
    expect(htmlOf({ markdown: long })).toEqual({ content: "<h1>x</h1>\n".repeat(16_384).trimEnd() });
    expect(htmlOf({ markdown: `${long}#` })).toEqual({ content: `<pre>${long}#</pre>` });
  });

  test("is undefined when there is none", () => {
    expect(toldContent({ table: {} }, expand)).toEqual({});
  });
});
