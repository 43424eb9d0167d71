import { expect, test } from "vitest";
import { hot, join } from "../../../test/fleet/alert-setup.ts";
import { limitedTo, useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";
import { scriptedClient } from "../../../test/scripted/scripted-client.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };
const CHILDREN = Array.from({ length: 22 }, (_each, at) => `web${at}`);

/** A router and the servers that depend on it; all of them go hot when the router is down. */
async function setUp(children: readonly string[]) {
  const { mailer, sent } = keepingMailer();
  const hooks = scriptedClient({ status: 200 });
  const fleet = await start({ config, mailer, webHooks: hooks });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createAlert({ ...hot, id: "down", title: "Down", expression: "down", message: "no link", outage: true });
  await api.createWebHook({
    ...{ id: "chat", title: "Chat", url: "https://chat.example/x", method: "POST", headers: [], enabled: true },
    body: "{{notice.holds_back.count}}: {{notice.holds_back.titles[1]}}",
  } as never);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await api.createReceiver({ id: "room", title: "Room", type: "web_hook", web_hook: "chat" });
  await api.createRoute({ title: "All", repeat_interval: 300, steps: [{ after: 0, to: ["ops", "room"] }] } as never);
  const router = await join(fleet, "router");
  const agents: Awaited<ReturnType<typeof join>>[] = [];
  for (const id of children) {
    agents.push(await join(fleet, id));
    await api.updateServer({ id, depends_on: ["router"] } as never);
  }
  const minute = async (data: Record<string, unknown>, ofChildren: Record<string, unknown>) => {
    await fleet.minute(router, data);
    for (const agent of agents) {
      const stored = fleet.next("server.minute");
      agent.send("monitor", { version: "1.0", date: fleet.clock.now(), data: ofChildren });
      await stored;
    }
    await fleet.settle();
  };
  const notices = async () => (await api.searchNotices({ query: "receiver:ops", limit: 10 })).rows.toReversed();
  return { fleet, api, sent, requests: hooks.sent, router, agents, minute, notices };
}

test("the notice about a parent counts and names the firings it holds back, in text, mail, data and answer", async () => {
  const at = await setUp(["web1", "web2"]);
  await at.minute({ down: true }, { temp: 60 });
  await at.fleet.clock.advance(75);
  const [notice, ...others] = await at.notices();
  expect(others).toEqual([]);
  const titles = ["Too hot on Web (host-web1)", "Too hot on Web (host-web2)"];
  expect(notice?.holds_back).toEqual({ count: 2, titles });
  expect(notice?.text).toMatch(
    /Down on Web \(host-router\): no link.* Holds back 2 others: Too hot on Web \(host-web1\), .*host-web2\)\.$/,
  );
  expect(at.sent.map(({ subject }) => subject)).toEqual(["Signalbox: Alert on Web (host-router): Down"]);
  expect(at.sent[0]?.text).toContain("Holds back 2 others: Too hot on Web (host-web1)");
  expect(at.requests[0]?.body).toBe(`2: ${titles[1]}`);
  for (let count = 0; count < 6; count++) await at.minute({ down: true }, { temp: 20 });
  expect((await at.notices()).at(-1)).toMatchObject({ kind: "repeat", text: expect.not.stringContaining("Holds") });
});

test("a notice names twenty held firings and counts the rest, also the indirectly held ones", async () => {
  const at = await setUp(CHILDREN);
  await at.api.createAlert({ ...hot, id: "slow", title: "Slow", expression: "slow", depends_on: ["hot"] } as never);
  await at.minute({ down: true }, { temp: 60, slow: true });
  await at.fleet.clock.advance(75);
  const [notice] = await at.notices();
  expect(notice?.holds_back?.count).toBe(2 * CHILDREN.length);
  expect(notice?.holds_back?.titles).toHaveLength(20);
  expect(notice?.text).toMatch(/ and 24 more\.$/);
});

test("callers who are limited to groups get only the number", async () => {
  const at = await setUp(["web1"]);
  await at.minute({ down: true }, { temp: 60 });
  await at.fleet.clock.advance(75);
  const [notice] = await at.notices();
  const { notice: shown } = await at.fleet.signalbox.as(limitedTo("main")).getNotice({ id: notice?.id ?? "" });
  expect(shown).toMatchObject({ holds_back: { count: 1, titles: [] }, text: "" });
});

test("a server that is silent below an outage is reported after the outage, although it sends no data", async () => {
  const at = await setUp(["web1"]);
  for (let count = 0; count < 4; count++) await at.minute({ down: false }, { temp: 20 });
  at.agents[0]?.close();
  for (let count = 0; count < 8; count++) await at.fleet.minute(at.router, { down: true });
  const told = async () => [...new Set((await at.notices()).map(({ kind, alerts }) => `${kind} ${alerts}`))];
  expect(await told()).toEqual(["firing down", "repeat down"]);
  for (let count = 0; count < 4; count++) await at.fleet.minute(at.router, { down: false });
  await at.fleet.clock.advance(75);
  expect(await told()).toEqual(["firing down", "repeat down", "cleared down", "firing server_silent"]);
});
