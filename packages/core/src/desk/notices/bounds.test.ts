import { expect, test } from "vitest";
import { hot, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com", tz: "UTC" };
type Agent = Awaited<ReturnType<typeof join>>;

interface Sent {
  readonly at: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several services
  readonly body: any;
}

/** Servers that run hot, each with a notice of its own, and a service that answers as the test says. */
async function setUp(count: number, answers: readonly number[] = [200]) {
  const requests: Sent[] = [];
  const left = [...answers];
  const { mailer, sent } = keepingMailer();
  const fleet = await start({
    config,
    mailer,
    webHooks: {
      async send({ body = "{}" }) {
        requests.push({ at: fleet.clock.now(), body: JSON.parse(String(body)) });
        const status = (left.length > 1 ? left.shift() : left[0]) ?? 200;
        return { status, statusText: "Said", headers: {}, body: "ok", elapsedMs: 5 };
      },
    },
  });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  const agents: Agent[] = [];
  for (let at = 0; at < count; at++) agents.push(await join(fleet, `s${at}`));
  const route = async (receiver: Record<string, unknown>, members: Record<string, unknown> = {}) => {
    await api.createReceiver({ id: "ops", title: "Ops", ...receiver } as never);
    await api.createRoute({ title: "All", steps: [{ after: 0, to: ["ops"] }], ...members } as never);
  };
  const minute = async (temp: number) => {
    await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / 60) * 60 + 61);
    for (const agent of agents) {
      const stored = fleet.next("server.minute");
      agent.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp } });
      await stored;
    }
    await fleet.settle();
  };
  return { fleet, api, requests, sent, route, minute };
}

const mail = { type: "mail", email: "ops@example.com" };
const apart = { group_by: ["alert", "subject"], group_wait: 0, repeat_interval: 0 };

test("the last notice of the hour says so and how many alerts wait; critical ones get twice as many", async () => {
  const at = await setUp(5);
  await at.route({ ...mail, max_per_hour: 2 }, apart);
  await at.minute(60);
  await at.fleet.clock.advance(5);
  expect(at.sent).toHaveLength(2);
  expect(at.sent[0]?.text).not.toContain("last notice");
  const says = /This is the last notice until \d\d:\d\d, but for critical ones; \d alerts wait\./;
  expect(at.sent[1]?.text).toMatch(says);
  const rows = async () => (await at.api.searchNotices({ limit: 10 })).rows;
  const last = (await rows()).flatMap((notice) => notice.last ?? []);
  expect(last).toEqual([{ until: expect.any(Number), but_critical: true, waiting: expect.any(Number) }]);
  expect(last[0]?.waiting).toBeLessThanOrEqual(3);
  await at.api.updateAlert({ id: "hot", severity: "critical" } as never);
  await at.fleet.clock.advance(15);
  expect(at.sent).toHaveLength(4);
  expect(at.sent[2]?.text).not.toContain("last notice");
  expect(at.sent[3]?.text).toMatch(/This is the last notice until \d\d:\d\d; 1 alert waits\./);
  // Notices of ends are sent in spite of every bound.
  await at.minute(20);
  await at.fleet.clock.advance(5);
  expect(at.sent.length).toBeGreaterThan(4);
});

test("a service gets notices at the pace that it asks for", async () => {
  const at = await setUp(4);
  await at.route({ type: "slack", settings: { url: "https://hooks.slack.com/services/T/B/x" } }, apart);
  await at.minute(60);
  await at.fleet.clock.advance(10);
  expect(at.requests).toHaveLength(4);
  const gaps = at.requests.slice(1).map(({ at: time }, index) => time - (at.requests[index]?.at ?? 0));
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(1);
  expect((await at.api.getReceiver({ id: "ops" })).receiver.health).not.toHaveProperty("takenIn");
});

test("a notice that is too large for a service is resent at once with twenty firings", async () => {
  const at = await setUp(25, [413, 200]);
  await at.route({ type: "slack", settings: { url: "https://hooks.slack.com/services/T/B/x" } });
  await at.minute(60);
  await at.fleet.clock.advance(75);
  expect(at.requests).toHaveLength(2);
  const texts = at.requests.map(({ body }) => String(body.blocks[1].text.text).split("\n"));
  expect(texts.map(({ length }) => length)).toEqual([25, 21]);
  expect(texts[1]?.at(-1)).toMatch(/^and 5 more: /);
  expect((await at.api.searchNotices({ limit: 5 })).rows).toMatchObject([{ outcome: "sent", attempts: 2, most: 20 }]);
});

test("a notice is given up when the shorter list is too large as well, or it had no more firings", async () => {
  const many = await setUp(25, [413]);
  await many.route({ type: "slack", settings: { url: "https://hooks.slack.com/services/T/B/x" } });
  await many.minute(60);
  await many.fleet.clock.advance(75);
  expect(many.requests).toHaveLength(2);
  const few = await setUp(1, [413]);
  await few.route({ type: "slack", settings: { url: "https://hooks.slack.com/services/T/B/x" } });
  await few.minute(60);
  await few.fleet.clock.advance(75);
  expect(few.requests).toHaveLength(1);
});
