import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../../test/code-point.ts";
import { threadMs } from "../../../test/thread-time.ts";
import { createExpressions } from "../../expressions/index.ts";
import { renderMarkdown } from "../../lib/markdown/render.ts";
import { expandMail, splitTemplate } from "./template.ts";

const expressions = createExpressions();
const expand = (template: string, data: Record<string, unknown> = {}, form: "html" | "text" = "text") => {
  const { headers, body } = expandMail(template, { expressions, data });
  return { headers, body: body(form) };
};

describe("header lines of a template", () => {
  test("are read from comments at its head; other comments are left out", () => {
    expect(
      splitTemplate("<!-- To: {{ email_to }} -->\n<!-- Logo_URL: https://x/ -->\nHello <!-- To: no -->you"),
    ).toEqual({
      headers: { to: "{{ email_to }}", logo_url: "https://x/" },
      body: "Hello you",
    });
    expect(splitTemplate("<!-- no header --><!-- Subject: Hi -->\ntext")).toEqual({
      headers: { subject: "Hi" },
      body: "text",
    });
    expect(splitTemplate("text <!-- open")).toEqual({ headers: {}, body: "text <!-- open" });
  });

  test.each(["          <!--a:b-->", "xxxxxxxxxx<!--a:b-->", "](", "{{a}} ", "`"])(
    "take time by the length alone: %j",
    (unit) => {
      const template = `${unit.repeat(Math.floor(400_000 / unit.length))} {{ v }}`;
      expect(threadMs(() => expand(template, { v: 1 }, "html"))).toBeLessThan(2000);
    },
  );

  test("are read before macros are filled in, so that no value can add or change one", () => {
    const evil = "x\r\nBcc: evil@example.com --><!-- Bcc: evil@example.com -->";
    const { headers, body } = expand("<!-- Subject: {{ v }} -->\n{{ v }}", { v: evil });
    expect(headers).toEqual({ subject: "x Bcc: evil@example.com --><!-- Bcc: evil@example.com -->" });
    expect(body).toContain("<!-- Bcc");
  });

  test("are each filled in on a line of their own for any values", () => {
    void fc.assert(
      fc.property(fc.string({ unit: codePoint }), (v) => {
        const { headers } = expand("<!-- Subject: a {{ v }} -->\n<!-- To: b@example.com -->\ntext", { v });
        expect(Object.keys(headers)).toEqual(["subject", "to"]);
        expect(headers["to"]).toBe("b@example.com");
        expect(headers["subject"]).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe("values in a mail", () => {
  test("missing and empty values are n/a", () => {
    expect(expand("{{ a }} {{ b }} {{ c }} {{ d.e }} {{ z }}", { b: null, c: "", d: null, z: 0 }).body).toBe(
      "n/a n/a n/a n/a 0",
    );
  });

  test("are never expanded again", () => {
    expect(expand("{{ a }}", { a: "{{ secrets.KEY }}", secrets: { KEY: "hunter2" } }).body).toBe("{{ secrets.KEY }}");
  });

  test.each<[string, string, string]>([
    ["- **Why:** {{ v }}", "*bold* `code` [a](https://evil.example/)", "<li><strong>Why:</strong> *bold* `code` [a]("],
    ["Text: {{ v }}", "one\n# two", "<p>Text: one # two</p>"],
    ["{{ v }} is it", "# one", "<p># one is it</p>"],
    ["{{ v }} is it", "1. one", "<p>1. one is it</p>"],
    ["Text: {{ v }}", "<b>&amp;</b>", "<p>Text: &lt;b&gt;&amp;amp;&lt;/b&gt;</p>"],
    ["[job]({{ v }})", "https://x/#Job?id=1", '<a href="https://x/#Job?id=1">job</a>'],
    ["[job](https://x/{{ v }})", "a) [b](javascript:1", '<a href="https://x/a%29%20[b]%28javascript:1">job</a>'],
    ["| {{ v }} |\n|---|\n| x | y |", "a | b", ">a | b</th>"],
    ["{{ v }} is it", "a | b", "<p>a | b is it</p>"],
    ["See {{ v }}", "https://x/#Job?id=1", '<a href="https://x/#Job?id=1">https://x/#Job?id=1</a>'],
    ["`{{ v }}`", "a`b", ">a&#39;b</code>".replace("&#39;", "'")],
  ])("%j with %j cannot change the text around", (template, v, expected) => {
    expect(renderMarkdown(expand(template, { v }, "html").body)).toContain(expected);
  });

  test("cannot end the code block around them", () => {
    const { body } = expand("```\n{{ v }}\n```\nafter", { v: "one\n```\n# two" }, "html");
    expect(renderMarkdown(body)).toMatch(/^<pre[^>]*>one\n''\n# two<\/pre>\n<p>after<\/p>$/);
  });

  test("on a line of their own are Markdown, without tags", () => {
    const { body } = expand("{{ v }}", { v: "- [a](https://x/)\n- <i>b</i>" }, "html");
    expect(renderMarkdown(body)).toBe('<ul><li><a href="https://x/">a</a></li><li>&lt;i&gt;b&lt;/i&gt;</li></ul>');
  });

  test("cannot imitate our own slots", () => {
    expect(expand("{{ v }}", { v: "a \uE000user_content\uE001" }, "html").body).toBe("a user_content");
  });
});
