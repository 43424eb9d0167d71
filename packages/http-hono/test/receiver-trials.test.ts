import { describe, expect, test } from "vitest";
import { keepingMailer } from "../../core/test/scripted/keeping-mailer.ts";
import { type Step, scriptedClient } from "../../core/test/scripted/scripted-client.ts";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";

async function setUp(name: string, steps: readonly Step[] = [{}]) {
  const { mailer, sent } = keepingMailer();
  const webHooks = scriptedClient(...steps);
  const config = { base_app_url: "https://ops.example/", email_from: "signalbox@example.com" };
  const at = await openEngine(name, { config, mailer, webHooks });
  const { admin } = at;
  const hook = { id: "chat", title: "Chat", url: "https://chat.example/in", method: "POST", enabled: true };
  await admin.post("create_web_hook", { ...hook, headers: [], body: "{{text}}" });
  await admin.post("create_receiver", { id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await admin.post("create_receiver", { id: "room", title: "Room", type: "web_hook", web_hook: "chat" });
  const trial = async (id: string) => (await admin.post("test_receiver", { id })).body;
  return { ...at, sent, requests: webHooks.sent, trial };
}

describe.each(ONE_STORAGE)("test_receiver on %s", (name) => {
  test("sends a mail, a request, or a request in the format of a service", async () => {
    const { admin, sent, requests, trial } = await setUp(name);
    expect(await trial("ops")).toMatchObject({ code: 0, result: { code: 0 } });
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[["ops@example.com"], "[info] Test notice on Ops"]]);
    expect(sent[0]?.text).toContain("Nothing is wrong.");

    expect(await trial("room")).toMatchObject({ code: 0, result: { code: 0 } });
    expect(requests[0]?.body).toMatch(/^Signalbox Firing: Test notice on Room: .+ tries this receiver out/);

    await admin.post("update_receiver", { id: "room", format: "ntfy", settings: { topic: "ops" } });
    expect(await trial("room")).toMatchObject({ result: { code: 0 } });
    expect(JSON.parse(String(requests[1]?.body))).toMatchObject({
      ...{ topic: "ops", title: "[info] Test notice on Room", priority: 2 },
    });
    const { rows } = (await admin.post("search_notices", { limit: 5 })).body;
    expect(rows).toEqual([]);
  });

  test("says why a receiver cannot be reached", async () => {
    const { trial } = await setUp(name, [{ status: 404, statusText: "Not Found" }]);
    const { code, result } = await trial("room");
    expect(code).toBe(0);
    expect(result.code).not.toBe(0);
    expect(result.description).toContain("404");
    expect(await trial("nobody")).toMatchObject({ code: "notfound" });
  });
});

test("sends a service that keeps a state also the end of the test", async () => {
  const { admin, requests, trial } = await setUp("memory", [{ status: 202 }]);
  const fields = [{ name: "PD_KEY", value: "R0UT3" }];
  await admin.post("create_secret", { title: "PagerDuty", enabled: true, web_hooks: ["chat"], fields });
  const settings = { routing_key: "{{ secrets.PD_KEY }}" };
  await admin.post("update_receiver", { id: "room", format: "pagerduty", settings });
  expect(await trial("room")).toMatchObject({ result: { code: 0 } });
  const bodies = requests.map(({ body }) => JSON.parse(String(body)));
  expect(bodies.map(({ event_action }) => event_action)).toEqual(["trigger", "resolve"]);
  expect(new Set(bodies.map(({ dedup_key }) => dedup_key)).size).toBe(1);
});

test("allows ten tests within a minute", async () => {
  const { clock, trial } = await setUp("memory");
  for (let count = 0; count < 10; count++) expect(await trial("ops")).toMatchObject({ code: 0 });
  expect(await trial("ops")).toMatchObject({ code: "rate", description: expect.stringContaining("within a minute") });
  await clock.advance(61);
  expect(await trial("ops")).toMatchObject({ code: 0, result: { code: 0 } });
});

describe("test_receiver with members of a receiver", () => {
  test("tries a receiver that is not stored, with its secret settings as sent", async () => {
    const { admin, sent, requests } = await setUp("memory", [{ status: 200, body: '{"ok":true,"ts":"1"}' }]);
    const mail = { type: "mail", title: "Night", email: "night@example.com" };
    expect((await admin.post("test_receiver", mail)).body).toMatchObject({ result: { code: 0 } });
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      [["night@example.com"], "[info] Test notice on Night"],
    ]);
    const settings = { token: "xoxb-1", channel: "C1" };
    const { result } = (await admin.post("test_receiver", { type: "slack", settings })).body;
    expect(result).toMatchObject({ code: 0 });
    expect(JSON.stringify(requests[0]?.headers)).toContain("Bearer xoxb-1");
    expect((await admin.get("get_receivers/v1")).body.rows.map(({ id }: { id: string }) => id)).toEqual([
      ...["admins", "ops", "room"],
    ]);
  });

  test("merges them into a stored receiver, whose masked settings and type stay", async () => {
    const { admin, requests } = await setUp("memory", [{ status: 200, body: '{"ok":true,"ts":"1"}' }]);
    const settings = { token: "xoxb-1", channel: "C1" };
    await admin.post("create_receiver", { id: "chat", title: "Chat", type: "slack", settings });
    const changed = { id: "chat", type: "mail", settings: { token: "********", channel: "C2" } };
    expect((await admin.post("test_receiver", changed)).body).toMatchObject({ result: { code: 0 } });
    expect(JSON.stringify(requests[0]?.headers)).toContain("Bearer xoxb-1");
    expect(JSON.parse(String(requests[0]?.body))).toMatchObject({ channel: "C2" });
    const { receiver } = (await admin.get("get_receiver/v1?id=chat")).body;
    expect(receiver).toMatchObject({ type: "slack", settings: { channel: "C1" } });
  });

  test("sends no stored secret to another address", async () => {
    const { admin, requests } = await setUp("memory");
    const settings = { url: "https://ntfy.example", topic: "t", token: "tk-1" };
    await admin.post("create_receiver", { id: "push", title: "Push", type: "ntfy", settings });
    const elsewhere = { ...settings, url: "https://evil.example", token: "********" };
    const refused = { code: "receiver", description: "Invalid value for settings" };
    expect((await admin.post("test_receiver", { id: "push", settings: elsewhere })).body).toEqual(refused);
    expect(requests).toEqual([]);
    const there = { ...elsewhere, url: settings.url, topic: "other" };
    expect((await admin.post("test_receiver", { id: "push", settings: there })).body).toMatchObject({ code: 0 });
    expect(JSON.stringify(requests[0]?.headers)).toContain("tk-1");
  });

  test.each([
    [{}, { code: "api", description: "Missing parameter: id" }],
    [{ type: "mail" }, { code: "receiver", description: "Invalid value for email" }],
    [
      { type: "slack", settings: {} },
      { code: "receiver", description: "Invalid value for settings" },
    ],
    [
      { type: "rota", rota: "none" },
      { code: "receiver", description: "Rota not found: none" },
    ],
    [
      { id: "ops", email: "" },
      { code: "receiver", description: "Invalid value for email" },
    ],
  ])("refuses %j like a record that is to be stored", async (members, refused) => {
    const { admin, sent } = await setUp("memory");
    expect((await admin.post("test_receiver", members)).body).toMatchObject(refused);
    expect(sent).toEqual([]);
  });
});
