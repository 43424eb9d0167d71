import { describe, expect, test } from "vitest";
import type { Entry } from "../texts/content.ts";
import type { Preset } from "../texts/presets.ts";
import { smsText } from "./bodies.ts";
import { SERVICES, type Service } from "./names.ts";
import { requestOf, type ServiceCall } from "./requests.ts";
import type { Settings } from "./settings.ts";

const link = "https://ops.example/#Alerts?id=i1";
const entry = (server: string, members: Partial<Entry> = {}): Entry => ({
  ...{ invocation: `i-${server}`, title: "Too hot", server, nice_server: server.toUpperCase(), state: "new" },
  ...{ noun: "server", message: "60 <degrees> @here", severity: "critical", since: 100, link, ...members },
});
const SETTINGS: Readonly<Record<Service, Settings>> = {
  slack: { token: "xoxb-1", channel: "C1" },
  teams: { url: "https://teams.example/workflow" },
  discord: { url: "https://discord.example/api/webhooks/1/abc" },
  telegram: { token: "1:abc", chat: "-100", thread: "7" },
  pagerduty: { routing_key: "R0", region: "eu" },
  opsgenie: { key: "og-key" },
  ntfy: { topic: "ops", token: "tk_1" },
  matrix: { url: "https://matrix.example/", room: "!a:example.org", token: "mx" },
};
const notice = (kind: Preset["notice"]["kind"], severity = "critical") => ({
  ...{ problem: "pg1", kind, severity, date: 1_767_225_600 },
});
function sent(service: Service, members: Partial<Preset> = {}, call: Partial<ServiceCall> = {}) {
  const preset: Preset = {
    ...{ notice: notice("firing"), entries: [entry("web")], subject: "[critical] Too hot on WEB", link },
    ...{ product: "Signalbox", settings: SETTINGS[service], ackUrl: "https://ops.example/ack", ...members },
  };
  const { body, ...request } = requestOf(service, { preset, key: "no1", ...call });
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several services
  return { ...request, text: body, body: JSON.parse(body) as any };
}
const over: Partial<Preset> = {
  notice: notice("cleared"),
  entries: [entry("web", { state: "over" })],
  subject: "[cleared] Too hot on WEB",
};
const many: Partial<Preset> = { entries: Array.from({ length: 30 }, (_each, at) => entry(`web${at}`)) };
const long: Partial<Preset> = {
  entries: Array.from({ length: 100 }, (_each, at) => entry(`web${at}`, { message: "x".repeat(500) })),
};

describe("the address and the key of a service", () => {
  test.each<[Service, string, string | undefined]>([
    ["slack", "POST https://slack.com/api/chat.postMessage", "Bearer xoxb-1"],
    ["teams", "POST https://teams.example/workflow", undefined],
    ["discord", "POST https://discord.example/api/webhooks/1/abc?wait=true", undefined],
    ["telegram", "POST https://api.telegram.org/bot1:abc/sendMessage", undefined],
    ["pagerduty", "POST https://events.eu.pagerduty.com/v2/enqueue", undefined],
    ["opsgenie", "POST https://api.opsgenie.com/v2/alerts", "GenieKey og-key"],
    ["ntfy", "POST https://ntfy.sh", "Bearer tk_1"],
    [
      "matrix",
      "PUT https://matrix.example/_matrix/client/v3/rooms/!a%3Aexample.org/send/m.room.message/no1",
      "Bearer mx",
    ],
  ])("of %s", (service, address, authorization) => {
    const { method, url, headers } = sent(service);
    expect(`${method} ${url}`).toBe(address);
    expect(headers["Authorization"]).toBe(authorization);
    expect(headers["Content-Type"]).toBe("application/json");
  });

  test("may be of another region, or of a hook", () => {
    expect(sent("opsgenie", { settings: { key: "k", region: "eu" } }).url).toBe(
      "https://api.eu.opsgenie.com/v2/alerts",
    );
    expect(sent("opsgenie", { settings: { key: "k", base_url: "https://a.example/og/" } }).url).toBe(
      "https://a.example/og/v2/alerts",
    );
    expect(sent("pagerduty", { settings: { routing_key: "R0" } }).url).toBe("https://events.pagerduty.com/v2/enqueue");
    const hook = sent("slack", { settings: { url: "https://hooks.slack.com/services/T/B/x" } }, { first: "15.2" });
    expect(hook).toMatchObject({ url: "https://hooks.slack.com/services/T/B/x", headers: {} });
    expect(hook.body).not.toHaveProperty("thread_ts");
  });
});

test("a firing for Opsgenie is an alert of the problem", () => {
  expect(sent("opsgenie").body).toEqual({
    ...{ message: "[critical] Too hot on WEB", alias: "pg1", source: "Signalbox", priority: "P1" },
    ...{ description: "WEB: Too hot: 60 <degrees> @here", tags: ["critical"], entity: "WEB" },
    details: { link, problem: "pg1", firings: "1" },
  });
  expect(sent("opsgenie", { notice: notice("firing", "info") }).body.priority).toBe("P5");
});

test("a firing for Matrix is a message in plain text and in HTML that mentions no one", () => {
  const { body } = sent("matrix");
  expect(body).toEqual({
    ...{ msgtype: "m.text", format: "org.matrix.custom.html", "m.mentions": {} },
    body: `[critical] Too hot on WEB\nWEB: Too hot: 60 <degrees> @here\nView: ${link}\nAcknowledge: https://ops.example/ack`,
    formatted_body: `<strong>[critical] Too hot on WEB</strong><br>WEB: Too hot: 60 &lt;degrees&gt; @here<br><a href="${link}">View</a> <a href="https://ops.example/ack">Acknowledge</a>`,
  });
  expect(sent("matrix", { notice: notice("firing", "info") }).body.msgtype).toBe("m.notice");
});

test("later messages go into the thread of the first one, where the service has threads", () => {
  const first = { first: "42" };
  const next: Partial<Preset> = { notice: notice("update") };
  expect(sent("slack", next, first).body).toMatchObject({ channel: "C1", thread_ts: "42" });
  expect(sent("slack", over, first).body).toMatchObject({ thread_ts: "42", reply_broadcast: true });
  expect(sent("telegram", next, first).body).toMatchObject({
    ...{ chat_id: "-100", message_thread_id: 7 },
    reply_parameters: { message_id: 42, allow_sending_without_reply: true },
  });
  expect(sent("matrix", next, first).body["m.relates_to"]).toEqual({ rel_type: "m.thread", event_id: "42" });
  expect(sent("opsgenie", next).body.alias).toBe("pg1");
  expect(sent("pagerduty", next).body).toMatchObject({
    event_action: "trigger",
    dedup_key: "signalbox-pg1",
    routing_key: "R0",
  });
});

test("an end closes the incident of a service, and is quiet elsewhere", () => {
  const { url, body } = sent("opsgenie", over);
  expect(url).toBe("https://api.opsgenie.com/v2/alerts/pg1/close?identifierType=alias");
  expect(body).toEqual({ source: "Signalbox", note: "WEB: Too hot: 60 <degrees> @here" });
  expect(sent("pagerduty", over).body.event_action).toBe("resolve");
  expect(sent("matrix", over).body.msgtype).toBe("m.notice");
  expect(sent("telegram", over).body.disable_notification).toBe(true);
  expect(sent("ntfy", over).body.priority).toBe(2);
});

test("an acknowledgement is sent under the same key, without a sound, where the service supports it", () => {
  const taken: Partial<Preset> = { notice: notice("acknowledged"), above: "tom is on it: restarting" };
  const { url, body } = sent("opsgenie", taken);
  expect(url).toBe("https://api.opsgenie.com/v2/alerts/pg1/acknowledge?identifierType=alias");
  const note = "tom is on it: restarting\nWEB: Too hot: 60 <degrees> @here";
  expect(body).toEqual({ source: "Signalbox", note });
  expect(sent("pagerduty", taken).body).toMatchObject({
    ...{ event_action: "acknowledge", dedup_key: "signalbox-pg1", routing_key: "R0" },
    payload: { custom_details: { firings: note } },
  });
  expect(sent("matrix", taken).body.msgtype).toBe("m.notice");
  expect(sent("slack", taken, { first: "42" }).body).toMatchObject({ thread_ts: "42" });
  expect(sent("slack", taken, { first: "42" }).body).not.toHaveProperty("reply_broadcast");
});

test.each(SERVICES)("thirty members fit into one message for %s", (service) => {
  const { text } = sent(service, many);
  for (const name of ["WEB0", "WEB29"]) expect(text).toContain(name);
  expect(text).not.toContain("more:");
});

test.each(SERVICES)("a long list for %s is cut between two members", (service) => {
  expect(sent(service, long).text).toMatch(/and \d+ more: https:/);
});

test.each(SERVICES)("a message of one server that is too long for %s is cut, and not left out", (service) => {
  const { text } = sent(service, { entries: [entry("web", { message: `<*${"&".repeat(30_000)}` })] });
  expect(text).toContain("Too hot: ");
  expect(text).not.toContain("more:");
});

test.each(SERVICES)(
  "of several messages that are too long for %s the first is cut, and the others are counted",
  (service) => {
    const { text } = sent(service, {
      entries: ["a", "b", "c"].map((id) => entry(id, { message: "x".repeat(30_000) })),
    });
    expect(text).toMatch(/A: Too hot: xxx.*and 2 more: https:/);
  },
);

test("a card of Teams is no longer than the service accepts, in any alphabet", () => {
  const wide = Array.from({ length: 100 }, (_each, at) => entry(`web${at}`, { message: "磁盘已满".repeat(100) }));
  const { text } = sent("teams", { entries: wide });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
  expect(text).toMatch(/and \d+ more: https:/);
});

test.each(SERVICES)("a subject is not cut for %s in the middle of a character", (service) => {
  for (const start of ["", "x"]) {
    const { text } = sent(service, { subject: start + "😀".repeat(2000) });
    expect(text.isWellFormed() && !/\\ud[89ab][0-9a-f]{2}(?!\\ud)/i.test(text)).toBe(true);
  }
});

test("an event of PagerDuty names the first group of the server", () => {
  expect(sent("pagerduty", { entries: [entry("web", { group: "main" })] }).body.payload.group).toBe("main");
  expect(sent("pagerduty").body.payload).not.toHaveProperty("group");
});

test.each<[string, Partial<Preset>, string]>([
  ["one server", {}, "[critical] Too hot on WEB: 60 <degrees> @here"],
  ["an end", over, "[cleared] Too hot on WEB"],
  ["an acknowledgement", { above: "tom is on it" }, "[critical] Too hot on WEB: tom is on it"],
  [
    "two servers",
    { entries: [entry("a"), entry("b")], subject: "[critical] Too hot on 2 servers" },
    "[critical] Too hot on 2 servers: A, B",
  ],
])("a text message about %s", (_what, members, text) => {
  const preset = { notice: notice("firing"), entries: [entry("web")], subject: "[critical] Too hot on WEB", link };
  const written = smsText({ ...preset, product: "Signalbox", settings: {}, ...members });
  expect(written).toBe(text);
  expect(smsText({ ...preset, product: "Signalbox", settings: {}, ...long }).length).toBeLessThanOrEqual(300);
});
