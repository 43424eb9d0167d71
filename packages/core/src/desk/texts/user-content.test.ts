import { expect, test } from "vitest";
import { excerptText } from "../../lib/text/excerpt.ts";
import { userContent } from "./user-content.ts";

test("a job that published nothing has n/a", () => {
  expect(userContent({})).toEqual({ html: "<p>n/a</p>", text: "n/a" });
});

test("a table is escaped, and has a plain form", () => {
  const table = { title: "Top <b>10</b>", header: ["Name", "Size"], rows: [["<a>", 5], ["b", { c: 1 }], "bad"] };
  const { html, text } = userContent({ table });
  expect(html).toContain("<h3>Top 10</h3>");
  expect(html).toContain("&lt;a&gt;</td>");
  expect(html).not.toContain("<a>");
  expect(text).toBe('Top 10\nName | Size\n<a> | 5\nb | {"c":1}');
});

test("HTML of a job is cleaned again", () => {
  const { html, text } = userContent({
    html: { title: "R", content: '<script>x</script><b onclick="y">bold</b> &lt;' },
  });
  expect(html).toBe("<h3>R</h3><div>&lt;script&gt;x&lt;/script&gt;<b>bold</b> &lt;</div>");
  expect(text).toBe("R\n<script>x</script> bold <");
});

test("an excerpt has neither terminal sequences nor marks of code blocks", () => {
  expect(excerptText("\u001b[31mred\u001b[0m\r\n```\nx\u0000")).toBe("red\n''\nx");
  expect(excerptText(" \n")).toBe("n/a");
});
