import { describe, expect, test } from "vitest";
import { type ConfigInput, parseConfig } from "../../../engine/config.ts";
import { createExpressions } from "../../../expressions/index.ts";
import { withLogo } from "../../../lib/mail/logo.ts";
import { composeMail, type Letter } from "./compose.ts";

const expressions = createExpressions({ functions: {}, locale: "en-US", monotonic: () => 0 });
const compose = (letter: Partial<Letter> = {}, config: ConfigInput = {}) =>
  composeMail(
    { config: parseConfig({ base_app_url: "https://ops.example.com", ...config }), expressions },
    { template: "alert_new", to: ["a@example.com"], data: {}, key: "k", ...letter },
  );
const plain = (members: string): ConfigInput => ({
  mail_templates: { alert_new: `<!-- To: {{ email_to }} -->\n${members}` },
});

test("the message of an alert stays on its line whatever Markdown it contains", () => {
  const message = "# Fire\n\n- <b>now</b> **{{ x }}** [a](https://evil.example.com)\n```";
  const mail = compose({ data: { def: { title: "Hot *disk*" }, nice_message: message } });
  expect(mail.text).toContain(
    "**Hot *disk*** (n/a) on **n/a** since n/a: # Fire - <b>now</b> **{{ x }}** [a](https://evil.example.com) ```",
  );
  expect(mail.html).toContain("</strong> since n/a: # Fire - &lt;b&gt;now&lt;/b&gt; **{{ x }}** [a](");
  expect(mail.html).not.toContain('<a href="https://evil.example.com">a</a>');
});

test("three hundred recipients are all included, and more than five hundred are refused", () => {
  const to = Array.from({ length: 300 }, (_, index) => `"Somebody" <person-${index}@example.com>`);
  expect(compose({ to }).to).toEqual(to);
  const many = Array.from({ length: 501 }, (_, index) => `p${index}@example.com`);
  expect(() => compose({ to: many })).toThrow("More than 500 recipients");
});

describe("blocks of a mail", () => {
  const blocks = { changes: { text: "- a **b**", html: "<ul><li>a</li></ul>" }, comments: { text: "", html: "" } };
  const template = plain("<!-- Subject: S -->\nBefore\n\n{{ changes }}\n\n{{ comments }}\n\nAfter {{ changes }}");

  test("stand on their own lines in both forms, and an empty block leaves no gap", () => {
    const mail = compose({ blocks }, template);
    expect(mail.text).toContain("Before\n\n- a **b**\n\nAfter");
    expect(mail.html).toContain("<p>Before</p>\n<ul><li>a</li></ul>\n\n<p>After </p>");
  });

  test("cannot be called by a value", () => {
    const mail = compose({ blocks, data: { x: "\uE000changes\uE001" } }, plain("{{ x }}"));
    expect(mail.html).toContain("<p>changes</p>");
  });
});

describe("the picture at the head of a mail", () => {
  const named = "<!-- Logo_URL: https://example.com/logo.png -->\nHi";
  test.each<[ConfigInput, string, string | undefined, number]>([
    [{}, "Hi", "cid:logo@signalbox", 1],
    [{}, named, "https://example.com/logo.png", 0],
    [{ email_logo: "link" }, named, "https://example.com/logo.png", 0],
    [{ email_logo: "link" }, "Hi", undefined, 0],
    [{ email_logo: "none" }, named, undefined, 0],
    [{ email_format: "text" }, "Hi", undefined, 0],
  ])("with %j and %j is %s", async (config, template, source, files) => {
    const mail = withLogo(compose({}, { ...config, ...plain(template) }));
    expect(/<img src="([^"]*)"/.exec(mail.html ?? "")?.[1]).toBe(source);
    expect(mail.attachments?.length ?? 0).toBe(files);
    for (const { open } of mail.attachments ?? [])
      for await (const bytes of await open()) expect(Buffer.from(bytes).subarray(1, 4).toString()).toBe("PNG");
  });
});
