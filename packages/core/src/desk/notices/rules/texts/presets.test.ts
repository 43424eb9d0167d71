import { describe, expect, test } from "vitest";
import { FORMATS, type Format } from "../../model.ts";
import type { Entry } from "./content.ts";
import { type Preset, presetBody } from "./presets.ts";

const entry = (server: string, members: Partial<Entry> = {}): Entry => ({
  ...{
    invocation: `i-${server}`,
    title: "Too hot",
    server,
    nice_server: server.toUpperCase(),
    state: "new",
    noun: "server",
  },
  ...{ message: "60 degrees", severity: "critical", since: 100, link: "https://ops.example/#Alerts?id=i1", ...members },
});
const preset = (members: Partial<Preset> = {}): Preset => ({
  notice: { problem: "pg1", kind: "firing", severity: "critical", date: 1_767_225_600 },
  entries: [entry("web")],
  ...{ subject: "[critical] Too hot on WEB", link: "https://ops.example/#Alerts?id=i1", product: "Signalbox" },
  settings: { chat: "-100123", topic: "ops", routing_key: "{{ secrets.PD_KEY }}" },
  ...members,
});
const over = { notice: { problem: "pg1", kind: "cleared" as const, severity: "critical", date: 1_767_225_600 } };
// biome-ignore lint/suspicious/noExplicitAny: answers of several services
const sent = (format: Format, members: Partial<Preset> = {}): any => JSON.parse(presetBody(format, preset(members)));

describe("a firing", () => {
  test("for Slack is a header, a section, a context and a button, with a plain text beside", () => {
    expect(sent("slack")).toEqual({
      text: "[critical] Too hot on WEB",
      blocks: [
        { type: "header", text: { type: "plain_text", text: "[critical] Too hot on WEB" } },
        { type: "section", text: { type: "mrkdwn", text: "WEB: Too hot: 60 degrees" } },
        { type: "context", elements: [{ type: "plain_text", text: "Signalbox: critical" }] },
        {
          type: "actions",
          elements: [
            {
              type: "button",
              text: { type: "plain_text", text: "View" },
              url: "https://ops.example/#Alerts?id=i1",
            },
          ],
        },
      ],
      attachments: [{ color: "#d92b2b", text: "" }],
    });
  });

  test("for Teams is an adaptive card", () => {
    const { type, attachments } = sent("teams");
    expect(type).toBe("message");
    expect(attachments[0]).toMatchObject({
      contentType: "application/vnd.microsoft.card.adaptive",
      content: { type: "AdaptiveCard", version: "1.4", actions: [{ type: "Action.OpenUrl" }] },
    });
  });

  test("for Discord is an embed that mentions no one", () => {
    expect(sent("discord")).toMatchObject({
      embeds: [{ title: "[critical] Too hot on WEB", description: "WEB: Too hot: 60 degrees", color: 0xd92b2b }],
      allowed_mentions: { parse: [] },
    });
  });

  test("for Telegram goes to the chat, as HTML", () => {
    expect(sent("telegram")).toMatchObject({
      ...{ chat_id: "-100123", parse_mode: "HTML", disable_notification: false },
      text: "<b>[critical] Too hot on WEB</b>\nWEB: Too hot: 60 degrees",
    });
  });

  test("for ntfy has the topic, the priority and the problem as its sequence", () => {
    expect(sent("ntfy")).toMatchObject({ topic: "ops", priority: 5, sequence_id: "pg1", tags: ["warning"] });
  });

  test("for PagerDuty triggers under the key of the problem, with the routing key as a macro", () => {
    expect(sent("pagerduty")).toMatchObject({
      ...{ routing_key: "{{ secrets.PD_KEY }}", event_action: "trigger", dedup_key: "signalbox-pg1" },
      payload: { source: "WEB", severity: "critical", timestamp: "2026-01-01T00:00:00.000Z" },
    });
  });
});

test("an end resolves at PagerDuty, and is quiet elsewhere", () => {
  expect(sent("pagerduty", over)).toMatchObject({ event_action: "resolve", dedup_key: "signalbox-pg1" });
  expect(sent("ntfy", over)).toMatchObject({ priority: 2, tags: ["white_check_mark"] });
  expect(sent("telegram", over)).toMatchObject({ disable_notification: true });
  expect(sent("slack", over).attachments[0].color).toBe("#2e9e4f");
});

const many = Array.from({ length: 500 }, (_each, at) => entry(`server-${at}`));
test.each<[Format, number, (body: ReturnType<typeof sent>) => string]>([
  ["slack", 3000, (body) => body.blocks[1].text.text],
  ["teams", 24_000, (body) => body.attachments[0].content.body[1].text],
  ["discord", 4096, (body) => body.embeds[0].description],
  ["telegram", 4096, (body) => body.text],
  ["ntfy", 1365, (body) => body.message],
  ["pagerduty", 8000, (body) => body.payload.custom_details.firings],
])("many firings for %s are cut at %d characters, between two firings", (format, max, textOf) => {
  const text = textOf(sent(format, { entries: many }));
  expect(text.length).toBeLessThanOrEqual(max);
  expect(text).toMatch(/60 degrees\n+and \d+ more: https:\/\/ops\.example\/#Alerts\?id=i1$/);
});

test.each(FORMATS)("a short list for %s says how many more firings there are", (format) => {
  const text = presetBody(format, preset({ entries: many.slice(0, 20), more: 480 }));
  expect(text).toContain("and 480 more: https://ops.example/#Alerts?id=i1");
  const cut = presetBody(format, preset({ entries: many, more: 500 }));
  expect(Number(/and (\d+) more: /.exec(cut)?.[1])).toBeGreaterThan(500);
});

test.each(FORMATS)("the lines above and below the firings stay for %s when the list is cut", (format) => {
  const said = { above: "tom is on it: restarting", below: "Holds back 2 others: Down on web1." };
  const text = presetBody(format, preset({ entries: many, ...said }));
  expect(text).toMatch(/tom is on it: restarting.*server-0.*more: .*Holds back 2 others: Down on web1/i);
  const long = presetBody(format, preset({ entries: many, above: "<&>".repeat(4000), below: "<&>".repeat(4000) }));
  expect(long.length).toBeLessThan(30_000);
});

test("an acknowledgement is sent as such to PagerDuty, and quiet elsewhere", () => {
  const taken = { notice: { ...preset({}).notice, kind: "acknowledged" }, above: "tom is on it" } as const;
  expect(sent("pagerduty", taken)).toMatchObject({ event_action: "acknowledge", dedup_key: "signalbox-pg1" });
  expect(sent("ntfy", taken)).toMatchObject({ priority: 2 });
  expect(sent("telegram", taken)).toMatchObject({ disable_notification: true });
});

describe("text that a machine sent", () => {
  const hostile = [entry("web", { message: "{{ secrets.PD_KEY }} <!channel> @everyone <b>*x*</b>" })];
  test.each(FORMATS)("is no macro of the template for %s, and stays JSON", (format) => {
    const body = presetBody(format, preset({ entries: hostile, settings: {} }));
    expect(body).not.toContain("{{");
    expect(() => JSON.parse(body)).not.toThrow();
  });

  test.each(["<setting:routing_key>", '"routing_key"', '","routing_key":"'])("is no setting: %s", (text) => {
    const body = sent("pagerduty", { entries: [entry("web", { nice_server: text, title: text, group: text })] });
    expect(body.payload).toMatchObject({ source: text, class: text, group: text });
    expect(body.routing_key).toBe("{{ secrets.PD_KEY }}");
  });

  test("mentions no one and formats nothing", () => {
    expect(JSON.stringify(sent("slack", { entries: hostile }))).not.toContain("<!channel>");
    expect(sent("telegram", { entries: hostile }).text).toContain("&lt;b&gt;");
    expect(sent("discord", { entries: hostile }).embeds[0].description).toContain("\\@everyone");
  });
});

describe("a link that acknowledges", () => {
  const ackUrl = "https://ops.example/api/app/ack/abc";
  const view = "https://ops.example/#Alerts?id=i1";

  test.each<[Format, (body: ReturnType<typeof sent>) => unknown, unknown]>([
    ["slack", ({ blocks }) => blocks[3].elements.map(({ url }: { url: string }) => url), [view, ackUrl]],
    [
      "teams",
      ({ attachments }) => attachments[0].content.actions.map(({ url }: { url: string }) => url),
      [view, ackUrl],
    ],
    ["discord", ({ embeds }) => embeds[0].fields, [{ name: "Acknowledge", value: ackUrl }]],
    [
      "telegram",
      ({ reply_markup }) => reply_markup.inline_keyboard,
      [
        [
          { text: "View", url: view },
          { text: "Acknowledge", url: ackUrl },
        ],
      ],
    ],
    ["ntfy", ({ actions }) => actions[1], { action: "view", label: "Acknowledge", url: ackUrl }],
  ])("for %s stands beside the link that shows the problem", (format, pick, expected) => {
    expect(pick(sent(format, { ackUrl }))).toEqual(expected);
    expect(JSON.stringify(sent(format))).not.toContain("Acknowledge");
  });

  test("is not sent to PagerDuty, which has an acknowledgement of its own", () => {
    expect(JSON.stringify(sent("pagerduty", { ackUrl }))).not.toContain(ackUrl);
  });
});
