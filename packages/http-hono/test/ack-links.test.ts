import { describe, expect, test } from "vitest";
import { createRouter } from "../src/index.ts";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

type Members = Record<string, unknown>;

const hot = { id: "hot", title: "Too hot & dry", expression: "temp >= 50", message: "{{temp}} degrees" };
const hook = {
  ...{ id: "chat", title: "Chat", url: "https://chat.example/x", method: "POST", enabled: true },
  body: "{{text}} | {{notice.ack_url}}",
};
const base = { tz: "UTC", base_app_url: "https://ops.example.com/", email_from: "signalbox@example.com" };

/** A web hook client and a mailer that record what they send. */
function keeping() {
  const sent: string[] = [];
  const mails: string[] = [];
  const webHooks = {
    async send({ body = "" }: { readonly body?: string | Uint8Array }) {
      sent.push(String(body));
      return { status: 200, statusText: "OK", headers: {}, body: "ok", elapsedMs: 1 };
    },
  };
  const mailer = { send: async ({ text = "" }: { readonly text?: string }) => void mails.push(text) };
  return { sent, mails, webHooks, mailer };
}

const linkIn = (text: string | undefined): URL => new URL(/https:\S+?\/ack\/[\w-]+/.exec(text ?? "")?.[0] ?? "");

/** Creates two receivers: a room, and Mia by mail. */
async function tellRoomAndMia({ admin, key, send }: Awaited<ReturnType<typeof openEngine>>) {
  const account = (operation: string, members: Members) =>
    send(`/api/user/${operation}/v1`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(members),
    });
  const privileges = { acknowledge_alerts: true };
  const mia = { username: "mia", full_name: "Mia", email: "mia@example.com", password: "correct horse 1", privileges };
  const route = { id: "all", title: "All", repeat_interval: 0, steps: [{ after: 0, to: ["room", "duty"] }] };
  const answers = [
    await account("admin_create", mia),
    await admin.post("create_alert", hot),
    await admin.post("create_web_hook", hook),
    await admin.post("create_receiver", { id: "room", title: "Room", type: "web_hook", web_hook: "chat" }),
    await admin.post("create_receiver", { id: "duty", title: "Duty", type: "user", users: ["mia"] }),
    await admin.post("create_route", route),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 0));
  return account;
}

/** One overheating server, the messages about it, and their links. */
async function open(name: string, config: Members = {}) {
  const { sent, mails, webHooks, mailer } = keeping();
  const settings = { ...base, alert_universal_actions: [], ...config };
  const box = await openEngine(name, { config: settings, webHooks, mailer });
  const { admin, agent, clock, engine, next } = box;
  const account = await tellRoomAndMia(box);
  const server = await agent.connect({ hostname: "s1.example.internal", id: "s1", initial: { groups: ["main"] } });
  const until = untilOf(clock);
  const minute = async (temp: number) => {
    await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
    const stored = next("server.minute");
    server.send("monitor", { version: "1.0", date: clock.now(), data: { temp } });
    await stored;
  };
  await minute(60);
  await until(async () => sent.length >= 1 && mails.length >= 1);
  const app = createRouter(engine);
  const call = async (url: URL, init: RequestInit = {}) => {
    const answer = await app.request(url.pathname, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    ...{ account, admin, agent, call, clock, mails, minute, next, sent, until },
    room: linkIn(sent[0]),
    duty: linkIn(mails[0]),
    submit: (url: URL, form: Record<string, string>) =>
      call(url, {
        method: "POST",
        // Browsers send this header from a page without a referrer.
        headers: { "content-type": "application/x-www-form-urlencoded", origin: "null" },
        body: new URLSearchParams(form).toString(),
      }),
    firing: async () => (await admin.post("search_alerts", { query: "alert:hot", limit: 5 })).body.rows[0],
    rows: async () =>
      (await admin.post("search_activity", { query: "action:problem_acknowledge", limit: 9 })).body.rows as Members[],
  };
}

describe.each(ONE_STORAGE)("an acknowledgement link in a notice, on %s", (name) => {
  test("shows a form on GET, and acknowledges once when the form is sent", async () => {
    const at = await open(name);
    expect(at.room.href).toMatch(/^https:\/\/ops\.example\.com\/api\/app\/ack\/[\w-]+$/);
    const before = await at.firing();
    for (const method of ["GET", "HEAD", "GET"]) {
      const { status, headers, text } = await at.call(at.room, { method });
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
      if (method === "HEAD") continue;
      expect(text).toContain("<strong>Too hot &amp; dry</strong>");
      expect(text).toContain('<form method="post">');
      expect(text).not.toContain("<script");
    }
    expect(await at.firing()).toEqual(before);
    expect(await at.rows()).toEqual([]);

    const done = await at.submit(at.room, { name: "<i>Tom</i>", comment: "restarting" });
    expect(done).toMatchObject({ status: 200 });
    expect(done.text).toContain("The problem is acknowledged.");
    expect(done.text).toContain("acknowledged by Tom (link:room)");
    expect((await at.firing()).acknowledged).toMatchObject({
      username: "link:room",
      name: "Tom",
      comment: "restarting",
    });
    // Mia, who was notified too, gets a message; the room itself does not.
    await at.until(async () => at.mails.length >= 2);
    expect(at.mails[1]).toContain("Tom (link:room) is on it: restarting");
    expect(at.sent).toHaveLength(1);
    const again = await at.submit(at.room, { name: "Eve", comment: "mine" });
    expect(again.text).toContain("acknowledged by Tom (link:room)");
    expect((await at.firing()).acknowledged.name).toBe("Tom");
    const rows = await at.rows();
    expect(rows).toMatchObject([{ username: "link:room", description: "Tom (link:room): restarting" }]);
    expect(rows[0]).toMatchObject({ notice: { receiver: "room" }, problem: { route: "all" } });
    expect(JSON.stringify(rows)).not.toContain(at.room.pathname.split("/").at(-1));
  });

  test("acknowledges for the duration in the form, and without one until the end", async () => {
    const at = await open(name, { stale_alert_timeout: 86_400 });
    expect((await at.call(at.room)).text).toContain('<option value="3600">1 hour</option>');
    expect((await at.submit(at.room, { duration: "7" })).text).toContain('"code":"api"');
    await at.submit(at.room, { name: "Tom", comment: "", duration: "3600" });
    const { acknowledged } = await at.firing();
    expect(acknowledged).toMatchObject({ name: "Tom", expires: acknowledged.date + 3600 });
    await at.clock.advance(3590);
    expect((await at.firing()).acknowledged).toEqual(acknowledged);
    await at.clock.advance(20);
    await at.until(async () => (await at.firing()).acknowledged === undefined);
    await at.submit(at.room, { name: "Eve", comment: "", duration: "" });
    expect((await at.firing()).acknowledged).not.toHaveProperty("expires");
  });

  test("acts as the person that it was sent to", async () => {
    const at = await open(name);
    expect((await at.call(at.duty)).text).not.toContain("Your name");
    await at.submit(at.duty, { name: "Eve", comment: "on it" });
    const { acknowledged } = await at.firing();
    expect(acknowledged).toMatchObject({ username: "mia", comment: "on it", link: "duty" });
    expect(acknowledged).not.toHaveProperty("name");
    const question = { invocation: (await at.firing()).id, receiver: "room" };
    const why = async () => (await at.admin.post("explain_notice", question)).body.reason;
    await at.until(async () =>
      /: mia acknowledged it at \d\d:\d\d from the link in Duty: "on it"\.$/.test(await why()),
    );
    expect(await at.rows()).toMatchObject([{ username: "mia", description: "mia: on it" }]);
  });
});

test("acknowledges the firings that the notice named, and not later ones", async () => {
  const at = await open("memory");
  const later = await at.agent.connect({ hostname: "s2.example.internal", id: "s2", initial: { groups: ["main"] } });
  const fired = at.next("alert.fired");
  later.send("monitor", { version: "1.0", date: at.clock.now(), data: { temp: 70 } });
  await fired;
  await at.clock.advance(3);
  await at.submit(at.room, { name: "Tom", comment: "" });
  const { rows } = (await at.admin.post("search_alerts", { query: "alert:hot", limit: 5 })).body;
  const taken = rows.map(({ server, acknowledged }: Members) => [server, Object(acknowledged).link]);
  expect(Object.fromEntries(taken)).toEqual({ s1: "room", s2: undefined });
});

describe("an acknowledgement link is refused in one sentence", () => {
  test("when the account may no longer acknowledge", async () => {
    const at = await open("memory");
    await at.account("admin_update", { username: "mia", privileges: { edit_events: true } });
    for (const { status, text } of [await at.call(at.duty), await at.submit(at.duty, { comment: "x" })]) {
      expect(status).toBe(403);
      expect(text).toContain("The account of this link may not acknowledge alerts.");
      expect(text).not.toContain("Too hot");
    }
    expect((await at.firing()).acknowledged).toBeUndefined();
    await at.account("admin_delete", { username: "mia" });
    expect((await at.call(at.duty)).status).toBe(403);
  });

  test("when the problem is over, and when the link has expired", async () => {
    const at = await open("memory", { notices: { ack_link_days: 1 } });
    await at.minute(40);
    await at.until(async () => !(await at.firing()).active);
    const over = await at.submit(at.room, { comment: "late" });
    expect(over).toMatchObject({ status: 410 });
    expect(over.text).toContain("The problem is over.");
    // Skips a day without running the work due in it, which other tests cover.
    at.clock.step(86_400);
    const expired = await at.call(at.room);
    expect(expired).toMatchObject({ status: 410 });
    expect(expired.text).toContain("This link has expired.");
    expect(await at.rows()).toEqual([]);
  });

  test("when the receiver sends no links any more, as its next notices show", async () => {
    const at = await open("memory");
    expect((await at.admin.post("update_receiver", { id: "room", ack_links: false })).body.code).toBe(0);
    expect(await at.submit(at.room, {})).toMatchObject({ status: 410 });
    expect((await at.firing()).acknowledged).toBeUndefined();
    await at.admin.post("update_route", { id: "all", repeat_interval: 300 });
    for (let count = 0; count < 7; count++) await at.minute(60);
    await at.until(async () => at.sent.length >= 2);
    expect(at.sent[1]).not.toContain("/ack/");
  });

  test.each<[string, (path: string) => string]>([
    ["without a token", () => "/api/app/ack"],
    ["of another engine", () => `/api/app/ack/${"A".repeat(80)}`],
    ["with changed signs", (path) => `${path.slice(0, -6)}AAAAAA`],
    ["with more text behind it", (path) => `${path}/start`],
    ["with a foreign path", () => "/api/app/ack/..%2f..%2fetc%2fpasswd"],
    ["far too long", () => `/api/app/ack/${"x".repeat(5000)}`],
  ])("%s", async (_what, change) => {
    const at = await open("memory");
    const url = new URL(at.room);
    const changed = { pathname: change(url.pathname) } as URL;
    for (const { status, text } of [await at.call(changed), await at.submit(changed, { comment: "x" })]) {
      expect(status).toBe(404);
      expect(text).toContain("This link is not valid.");
      expect(text).not.toContain("hot");
    }
    expect((await at.firing()).acknowledged).toBeUndefined();
  });
});

test("the address of an API that is mounted elsewhere is taken from the configuration", async () => {
  const { admin } = await openEngine("memory", {
    config: { ...base, base_api_url: "https://api.example.com/ops/v9/" },
  });
  const { body } = await admin.post("create_heartbeat", { id: "hb", title: "Copy", every: 60 });
  expect(body.url).toBe(`https://api.example.com/ops/v9/app/heartbeat/${body.token}`);
});
