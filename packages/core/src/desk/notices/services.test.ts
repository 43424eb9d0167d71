import { expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { hot, hotMinute, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import type { WebHookRequest, WebHookResponse } from "../../ports/outside/web-hook-client.ts";
import type { StoredRecord } from "../../ports/storage/collection.ts";

const start = useFleets();

type Said = Partial<Pick<WebHookResponse, "status" | "body" | "headers">>;

/** A server that runs hot, and services that give the test's answers in turn; the last answer repeats. */
async function setUp(answers: Said[] = [{}]) {
  const requests: WebHookRequest[] = [];
  const webHooks = {
    async send(request: WebHookRequest) {
      requests.push(request);
      const { status = 200, body = "{}", headers = {} } = (answers.length > 1 ? answers.shift() : answers[0]) ?? {};
      return { status, statusText: "Said", headers, body, elapsedMs: 5 };
    },
  };
  const fleet = await start({ config: { alert_universal_actions: [] }, webHooks });
  const { api } = fleet.signalbox;
  await api.createAlert({ ...hot, severity: "critical" });
  const agent = await join(fleet, "s1");
  const minute = async (temp: number) => {
    await hotMinute(fleet, agent, temp);
    await fleet.clock.advance(2);
  };
  const tell = async (type: string, settings: object, members: object = {}) => {
    const { receiver } = await api.createReceiver({ id: "room", title: "Room", type, settings, ...members } as never);
    await api.createRoute({
      id: "all",
      title: "All",
      repeat_interval: 300,
      steps: [{ after: 0, to: ["room"] }],
    } as never);
    return receiver;
  };
  const outcomes = async () => {
    const found = await api.searchNotices({ limit: 10 });
    // Leaves out the notices to administrators that replace failed ones.
    const rows = found.rows.filter(({ in_place_of }) => in_place_of === undefined);
    return rows
      .map(({ kind, outcome, attempts, result }) => [kind, outcome, attempts, result?.description])
      .toReversed();
  };
  return { fleet, api, requests, minute, tell, outcomes };
}

const sentTo = (requests: readonly WebHookRequest[]) =>
  requests.map(({ url, body = "{}", headers }) => ({ url, key: headers["Authorization"], body: JSON.parse(body) }));

test("a service is notified with its key, also of the end, and no one is shown the key", async () => {
  const at = await setUp([{ status: 202, body: '{"requestId":"r1"}' }]);
  expect(await at.tell("opsgenie", { key: "og-key", region: "eu" })).toMatchObject({
    settings: { key: "********", region: "eu" },
  });
  await at.minute(60);
  await at.minute(40);
  await at.minute(40);
  const [fired, closed, ...more] = sentTo(at.requests);
  const url = "https://api.eu.opsgenie.com/v2/alerts";
  expect(fired).toMatchObject({ url, key: "GenieKey og-key", body: { priority: "P1" } });
  expect(closed?.url).toBe(`${url}/${fired?.body.alias}/close?identifierType=alias`);
  expect(more).toEqual([]);
  const shown = [
    await at.api.getReceivers(),
    await at.api.getReceiver({ id: "room" }),
    await at.api.searchNotices({ limit: 10 }),
    await at.api.searchActivity({ query: "", limit: 100 }),
  ];
  expect(JSON.stringify(shown)).not.toContain("og-key");
  expect(await at.fleet.signalbox.api.getReceiver({ id: "room" })).toMatchObject({
    receiver: { settings: { key: "********" } },
  });
});

test("a key stays behind its mask, can be replaced, and is deleted with the receiver", async () => {
  const at = await setUp();
  const receiver = await at.tell("ntfy", { topic: "ops", token: "tk_1" });
  const first = receiver.sealed;
  const test = async () => {
    await at.api.testReceiver({ id: "room" });
    return sentTo(at.requests).at(-1);
  };
  expect((await test())?.key).toBe("Bearer tk_1");
  await at.api.updateReceiver({ id: "room", settings: { topic: "night", token: "********" } });
  expect(await test()).toMatchObject({ key: "Bearer tk_1", body: { topic: "night" } });
  await at.api.updateReceiver({ id: "room", title: "Night" });
  expect((await test())?.key).toBe("Bearer tk_1");
  await at.api.updateReceiver({ id: "room", settings: { topic: "night", token: "tk_2" }, sealed: first } as never);
  expect((await test())?.key).toBe("Bearer tk_2");
  const { receiver: open } = await at.api.updateReceiver({ id: "room", settings: { topic: "night" } });
  expect(open).toMatchObject({ settings: { topic: "night" }, sealed: null });
  expect((await test())?.key).toBeUndefined();
});

test("later messages, and the end, go into the thread of the first message", async () => {
  const at = await setUp([{ body: '{"ok":true,"ts":"15.1"}' }, { body: '{"ok":true,"ts":"15.2"}' }]);
  await at.tell("slack", { token: "xoxb-1", channel: "C1" });
  await at.minute(60);
  for (let count = 0; count < 6; count++) await at.minute(60);
  await at.minute(40);
  await at.minute(40);
  const threads = sentTo(at.requests).map(({ body }) => [body.thread_ts, body.reply_broadcast]);
  expect(threads).toEqual([
    [undefined, undefined],
    ["15.1", undefined],
    ["15.1", true],
  ]);
});

test("an end goes to the notified key, and to the present key only where that was notified as well", async () => {
  const at = await setUp([{ status: 202 }]);
  await at.tell("pagerduty", { routing_key: "R1" });
  const change = (routing_key: string) => at.api.updateReceiver({ id: "room", settings: { routing_key } });
  const ends = async () => {
    at.requests.length = 0;
    await at.minute(40);
    await at.minute(40);
    return sentTo(at.requests).map(({ body }) => [body.event_action, body.routing_key]);
  };
  await at.minute(60);
  await change("R2");
  expect(await ends()).toEqual([["resolve", "R1"]]);
  await at.fleet.clock.advance(3600);
  await at.minute(60);
  await change("R3");
  for (let count = 0; count < 6; count++) await at.minute(60);
  expect(await ends()).toEqual([
    ["resolve", "R2"],
    ["resolve", "R3"],
  ]);
});

test("an end that is resent is delivered again", async () => {
  const at = await setUp([{ status: 202 }]);
  await at.tell("pagerduty", { routing_key: "R1" });
  await at.minute(60);
  await at.minute(40);
  await at.minute(40);
  const { rows } = await at.api.searchNotices({ query: "kind:cleared", limit: 1 });
  await at.api.resendNotice({ id: String(rows[0]?.id) });
  await at.fleet.clock.advance(5);
  const turns = sentTo(at.requests).map(({ body }) => body.event_action);
  expect(turns).toEqual(["trigger", "resolve", "resolve"]);
});

test("a replaced key is deleted once no problem that was reported with it is open", async () => {
  const at = await setUp([{ status: 202 }]);
  const payloads = at.fleet.signalbox.collections.find(({ name }) => name === "secret_payloads");
  if (!payloads) throw new Error("There is no collection of sealed secrets");
  const sealed = async () =>
    (await at.fleet.storage.read((tx) => tx.collection<StoredRecord>(payloads).list())).filter(({ id }) =>
      id.startsWith("kept/"),
    ).length;
  await at.tell("pagerduty", { routing_key: "R1" });
  await at.minute(60);
  await at.api.updateReceiver({ id: "room", settings: { routing_key: "R2" } });
  await at.minute(60);
  await at.fleet.clock.advance(3600);
  expect(await sealed()).toBe(2);
  for (let count = 0; count < 4; count++) await at.minute(40);
  await at.fleet.clock.advance(2 * 3600);
  expect(await sealed()).toBe(1);
  await at.api.updateReceiver({ id: "room", settings: { routing_key: "R3" } });
  expect(await sealed()).toBe(2);
  await at.api.deleteRoute({ id: "all" });
  await at.api.deleteReceiver({ id: "room" });
  expect(await sealed()).toBe(0);
});

test("a message to another room starts no message in the former thread", async () => {
  const at = await setUp([{ body: '{"ok":true,"ts":"15.1"}' }, { body: '{"ok":true,"ts":"15.2"}' }]);
  await at.tell("slack", { token: "xoxb-1", channel: "C1" });
  await at.minute(60);
  await at.api.updateReceiver({ id: "room", settings: { token: "********", channel: "C1" } });
  await at.api.updateReceiver({ id: "room", settings: { token: "********", channel: "C2" } });
  for (let count = 0; count < 6; count++) await at.minute(60);
  await at.minute(40);
  await at.minute(40);
  expect(sentTo(at.requests).map(({ body }) => [body.channel, body.thread_ts])).toEqual([
    ["C1", undefined],
    ["C2", undefined],
    ["C1", "15.1"],
    ["C2", "15.2"],
  ]);
});

test("a service that asks for a delay gets it, and a permanent refusal is not retried", async () => {
  const at = await setUp([
    { status: 429, headers: { "Retry-After": "45" } },
    { body: '{"ok":false,"error":"is_archived"}' },
  ]);
  await at.tell("slack", { token: "xoxb-1", channel: "C1" });
  await at.minute(60);
  await at.fleet.clock.advance(20);
  expect(at.requests).toHaveLength(1);
  await at.fleet.clock.advance(40);
  expect(at.requests).toHaveLength(2);
  await at.minute(60);
  expect(at.requests).toHaveLength(2);
  expect(await at.outcomes()).toEqual([["firing", "failed", 2, "HTTP 200 Said: is_archived"]]);
});

test("a group of Telegram that has moved is followed, and its new id stored", async () => {
  const moved = { ok: false, description: "upgraded", parameters: { migrate_to_chat_id: -1001 } };
  const at = await setUp([
    { status: 400, body: JSON.stringify(moved) },
    { body: '{"ok":true,"result":{"message_id":7}}' },
  ]);
  await at.tell("telegram", { token: "1:abc", chat: "-5" });
  await at.minute(60);
  expect(sentTo(at.requests).map(({ body }) => body.chat_id)).toEqual(["-5", "-1001"]);
  expect(await at.outcomes()).toMatchObject([["firing", "sent", 1, "Success (HTTP 200 Said)"]]);
  expect((await at.api.getReceiver({ id: "room" })).receiver.settings).toEqual({ token: "********", chat: "-1001" });
});

test("a hook without a body is sent the data of the notice", async () => {
  const at = await setUp();
  const hook = { id: "plain", title: "Plain", url: "https://hook.example/", method: "POST" } as const;
  await at.api.createWebHook(hook as never);
  await at.api.createReceiver({ id: "room", title: "Room", type: "web_hook", web_hook: "plain" } as never);
  const steps = [{ after: 0, to: ["room"] }];
  await at.api.createRoute({ id: "all", title: "All", repeat_interval: 300, steps } as never);
  await at.minute(60);
  const { body = "", headers } = at.requests[0] as WebHookRequest;
  expect(headers["Content-Type"]).toBe("application/json");
  const data = JSON.parse(body);
  expect(data).toMatchObject({
    notice: { kind: "firing", severity: "critical", count: 1 },
    alerts: [{ def: { id: hot.id }, server: "s1", state: "new" }],
    alert: { alert: hot.id, server: "s1" },
  });
  expect(data).not.toHaveProperty("secrets");
  expect(data).not.toHaveProperty("config");
  await at.api.updateWebHook({ id: "plain", body: "own {{alert.server}}" });
  for (let count = 0; count < 6; count++) await at.minute(60);
  expect(at.requests.at(-1)?.body).toBe("own s1");
});

test("a text message goes through a hook, and its end only if the firing may have woken a person", async () => {
  const at = await setUp();
  const hook = { id: "phone", title: "Phone", url: "https://sms.example/", method: "POST" } as const;
  await at.api.createWebHook({ ...hook, body: '{"to":"{{notice.to}}","text":"{{notice.sms}}"}' } as never);
  await at.tell("sms", { to: "+4917012345" }, { web_hook: "phone" });
  await at.api.updateAlert({ id: hot.id, severity: "warning" } as never);
  await at.minute(60);
  await at.minute(40);
  await at.minute(40);
  const [told, ...more] = sentTo(at.requests);
  expect(told?.body).toEqual({ to: "+4917012345", text: expect.stringMatching(/^\[warning\] .* on .*: /) });
  expect(told?.body.text).not.toContain("http");
  expect(more).toEqual([]);
  expect(await at.outcomes()).toMatchObject([
    ["firing", "sent", 1, "Success (HTTP 200 Said)"],
    ["cleared", "sent", 1, "Ends are told by text message for critical alerts alone"],
  ]);
});

test.each([
  [{ type: "slack", settings: {} }, "Invalid value for settings"],
  [{ type: "slack" }, "Invalid value for settings"],
  [{ type: "telegram", settings: { token: "********", chat: "-1" } }, "Invalid value for settings"],
  [{ type: "matrix", settings: { url: "matrix", room: "!a", token: "t" } }, "Invalid value for settings"],
  [{ type: "pagerduty", settings: { routing_key: "R0" }, format: "slack" }, "Invalid value for format"],
  [{ type: "sms", settings: { to: "+49" } }, "Invalid value for web_hook"],
  [{ type: "pager", settings: {} }, "Invalid value for type"],
])("%j is refused", async (members, description) => {
  const { api } = await setUp();
  const made = api.createReceiver({ title: "Room", ...members } as never);
  expect(await refusalOf(made)).toEqual({ code: "receiver", description });
});

test("the id of a chat may be a number", async () => {
  const at = await setUp([{ body: '{"ok":true,"result":{"message_id":1}}' }]);
  expect(await at.tell("telegram", { token: "1:abc", chat: -100_123, thread: 7 })).toMatchObject({
    settings: { chat: "-100123", thread: "7" },
  });
  const wrong = at.api.createReceiver({ title: "R", type: "telegram", settings: { token: "1:a", chat: {} } } as never);
  expect(await refusalOf(wrong)).toMatchObject({ description: "Invalid value for settings" });
});
