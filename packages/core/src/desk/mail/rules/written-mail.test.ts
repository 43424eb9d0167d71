import { describe, expect, test } from "vitest";
import { writtenBody, writtenHeaders } from "./written-mail.ts";

const files = [
  { field: "file1", filename: "my plot.png" },
  { field: "file2", filename: "log.txt" },
];
const written = (body: string) => writtenBody(body, files, "ops.example.com");

describe("the text of a mail written by a person", () => {
  test.each([
    ["![Plot](cid:my%20plot.png)", "Plot"],
    ["![](cid:file1)", "my plot.png"],
    ['<img width="3" src="cid:my plot.png" onerror="x()">', "my plot.png"],
    ["<IMG src='cid:file1'>", "my plot.png"],
  ])("shows a file for %s", (body, words) => {
    const { html, text, contentIds } = written(`Look: ${body} *there*`);
    expect(html).toBe(
      `<p>Look: <img src="cid:file1@ops.example.com" alt="${words}" style="max-width:100%"> <em>there</em></p>`,
    );
    expect(text).toBe(`Look: [${words}] *there*`);
    expect(contentIds).toEqual(["file1@ops.example.com", undefined]);
  });

  test.each([
    "![x](cid:other.png)",
    "![x](https://example.com/x.png)",
    '<img src="https://example.com/x.png">',
    "cid:file1",
  ])("shows none for %s", (body) => {
    const { html, contentIds } = written(body);
    expect(html).not.toContain("<img");
    expect(contentIds).toEqual([undefined, undefined]);
  });

  test("is Markdown in which tags are text and no macro is expanded", () => {
    const { html, text } = written("**{{ config.email_from }}** <script>");
    expect(html).toBe("<p><strong>{{ config.email_from }}</strong> &lt;script&gt;</p>");
    expect(text).toBe("**{{ config.email_from }}** <script>");
  });

  test("cannot break out of a picture's description", () => {
    expect(written('![" onload="x](cid:file1)').html).toContain('alt="&quot; onload=&quot;x"');
  });
});

describe("headers of a mail written by a person", () => {
  test("are kept on one line", () => {
    expect(writtenHeaders({ "X-Key": "1\r\nX-Evil: 2", "Reply-To": "a@example.com", "X-Count": 3 })).toEqual({
      "X-Key": "1 X-Evil: 2",
      "Reply-To": "a@example.com",
      "X-Count": "3",
    });
  });

  test.each([
    { Bcc: "x@example.com" },
    { FROM: "x@example.com" },
    { "Message-ID": "<x@y>" },
    { "Content-Type": "text/html" },
    { "X Y": "1" },
    { "X-A\r\nBcc": "1" },
    { "X-A": { b: 1 } },
    Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, "1"])),
  ])("are refused: %j", (headers) => {
    expect(writtenHeaders(headers)).toBeUndefined();
  });
});
