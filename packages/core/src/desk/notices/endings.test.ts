import { expect, test } from "vitest";
import { hot, invocations, join } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";

const start = useFleets();

/** Servers whose alerts are mailed at once. */
async function setUp(ids: readonly string[] = ["s1"], config: Record<string, unknown> = {}) {
  const { mailer, sent } = keepingMailer();
  const base = { tz: "UTC", alert_universal_actions: [], email_from: "signalbox@example.com" };
  const fleet = await start({ config: { ...base, ...config }, mailer });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await api.createRoute({
    id: "all",
    title: "All",
    group_wait: 0,
    group_interval: 60,
    steps: [{ after: 0, to: ["ops"] }],
  });
  const agents: Awaited<ReturnType<typeof join>>[] = [];
  for (const id of ids) agents.push(await join(fleet, id));
  const minute = async (...temps: (number | undefined)[]) => {
    await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / 60) * 60 + 61);
    for (const [at, agent] of agents.entries()) {
      if (temps[at] === undefined) continue;
      const stored = fleet.next("server.minute");
      agent.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp: temps[at] } });
      await stored;
    }
    await fleet.clock.advance(3);
  };
  const texts = async () =>
    (await api.searchNotices({ limit: 20 })).rows
      .filter(({ receiver }) => receiver === "ops")
      .map(({ text }) => text.replace(/: https?:.*/, ""))
      .toReversed();
  return { fleet, api, agents, minute, sent, texts };
}

const why = async ({ signalbox }: Fleet, invocation = ""): Promise<string | undefined> =>
  (await signalbox.api.explainNotice({ invocation, receiver: "ops", timezone: "UTC" })).rows[0]?.reason;

test("a disabled definition ends its firings, and notified receivers learn who disabled it", async () => {
  const { api, minute, fleet, texts, sent } = await setUp();
  await minute(60);
  await api.updateAlert({ id: hot.id, enabled: false });
  await fleet.clock.advance(70);
  expect(await texts()).toEqual([
    "Signalbox Alert Too hot on Web (host-s1): 60 degrees, !",
    "Signalbox Over: Too hot on Web (host-s1): was disabled by system",
  ]);
  expect(sent[1]?.text).toContain("was disabled by system");
  const first = sent[0]?.messageId;
  expect(sent.map(({ headers }) => headers)).toEqual([undefined, { "In-Reply-To": first, References: first }]);
  expect(await invocations(fleet)).toMatchObject([{ active: false, ended_by: "was disabled by system" }]);
});

test("a deleted definition ends its firings, and notified receivers learn that it was deleted", async () => {
  const { api, minute, fleet, texts, sent } = await setUp(["s1", "s2"]);
  await minute(60, 60);
  await api.deleteAlert({ id: hot.id });
  await fleet.clock.advance(70);
  expect((await texts()).at(-1)).toBe(
    "Signalbox Over: Too hot on 2 servers: Web (host-s1), Web (host-s2): was deleted",
  );
  expect(sent.at(-1)).toMatchObject({ subject: "[cleared] Too hot on 2 servers" });
  expect(sent.at(-1)?.text).toContain("(over): Too hot: it is not watched any more (was deleted)");
  const { rows } = await api.searchNotices({ query: "kind:cleared", limit: 5 });
  expect(rows).toMatchObject([{ outcome: "sent" }]);
});

test("a definition deleted while others of its problem fire is reported as ended with them", async () => {
  const { api, minute, fleet, sent } = await setUp();
  await api.updateRoute({ id: "all", group_by: [], repeat_interval: 60 });
  await api.createAlert({ ...hot, id: "warm", title: "Too warm" });
  await minute(60);
  await api.deleteAlert({ id: hot.id });
  await fleet.clock.advance(5);
  await minute(60);
  await minute(60);
  const told = sent.find(({ text }) => text?.includes("was deleted"));
  expect(told?.text).toMatch(/Too warm: 60 degrees[\s\S]*Too hot: it is not watched any more/);
});

test("a silent server that is no longer expected ends with that reason", async () => {
  const { api, agents, minute, fleet, texts } = await setUp();
  await minute(20);
  agents[0]?.close();
  await fleet.clock.advance(480);
  expect((await texts())[0]).toMatch(/Server Does Not Report/);
  await api.updateServer({ id: "s1", enabled: false });
  await fleet.clock.advance(130);
  expect(await texts()).toEqual([
    expect.stringMatching(/^Signalbox Alert Server Does Not Report on Web /),
    "Signalbox Over: Server Does Not Report on Web (host-s1): is expected no more",
  ]);
});

test("data that return without the firing end it with that reason", async () => {
  const { minute, fleet, texts } = await setUp();
  await minute(60);
  await fleet.clock.advance(400);
  expect(await texts()).toHaveLength(1);
  for (let count = 0; count < 4; count++) await minute(20);
  await fleet.clock.advance(70);
  expect((await texts()).slice(1)).toEqual(["Signalbox Over: Too hot on Web (host-s1): came back without it"]);
});

test("with alert_stale_actions an end for lack of data is reported as such", async () => {
  const { minute, fleet, texts } = await setUp(["s1"], { alert_stale_actions: true });
  await minute(60);
  await fleet.clock.advance(400);
  expect((await texts()).slice(1)).toEqual([expect.stringMatching(/^Signalbox No more data of Web \(host-s1\)/)]);
});

test("a firing without data is listed as such in further notices, neither live nor over", async () => {
  const { api, minute, sent, texts } = await setUp(["s1", "s2"]);
  await minute(60, 20);
  for (let count = 0; count < 4; count++) await minute(undefined, 20);
  await minute(undefined, 70);
  expect(await texts()).toEqual([
    "Signalbox Alert Too hot on Web (host-s1): 60 degrees, !",
    "Signalbox Too hot on 2: Web (host-s2), Web (host-s1)",
  ]);
  expect(sent[1]?.text).toMatch(/host-s1.*\(no data\)/);
  const { rows } = await api.searchNotices({ limit: 1 });
  expect(rows[0]).toMatchObject({ new: [expect.any(String)], over: [], still: [expect.any(String)] });
});

test("the end of a deleted server's firings is not reported", async () => {
  const { api, agents, minute, fleet, texts } = await setUp();
  await minute(60);
  agents[0]?.close();
  await fleet.settle();
  await api.deleteServer({ id: "s1", history: true });
  await fleet.clock.advance(200);
  const [invocation] = await invocations(fleet);
  expect(invocation).toMatchObject({ active: false });
  expect(await texts()).toHaveLength(1);
  expect(await why(fleet, invocation?.id)).toMatch(/ended without data/);
  expect((await api.getProblems({})).rows).toEqual([]);
});

test("an end that a snooze delayed for over an hour comes as a digest, and gives the reason until then", async () => {
  const { api, minute, fleet, texts, sent } = await setUp();
  await minute(60);
  await api.updateGlobalState({ alert_snooze: Math.floor(fleet.clock.now()) + 3800 });
  await minute(40);
  await fleet.clock.advance(20);
  const [firing] = await invocations(fleet);
  expect(await why(fleet, firing?.id)).toMatch(/^It is over; Ops is told of it: .*\d\d:\d\d\.$/);
  await fleet.clock.advance(3810);
  expect(await texts()).toEqual([
    "Signalbox Alert Too hot on Web (host-s1): 60 degrees, !",
    "Signalbox Digest: Too hot on Web (host-s1) (over)",
  ]);
  expect(sent.at(-1)?.subject).toBe("[cleared] Too hot on Web (host-s1)");
});

test("a receiver that no route names was not notified for that reason, and not because it waits", async () => {
  const { api, minute, fleet } = await setUp();
  await api.createReceiver({ id: "lead", title: "Lead", type: "mail", email: "lead@example.com" });
  await minute(60);
  const [{ id: invocation = "" } = {}] = await invocations(fleet);
  const ask = (receiver: string) => api.explainNotice({ invocation, receiver, timezone: "UTC" });
  const left = { verdict: "none", reason: "Not told to Lead: no route that the firing took names it." };
  expect(await ask("lead")).toMatchObject({ ...left, due: null, told: [], rows: [{ receiver: "lead", ...left }] });
  expect(await ask("ops")).toMatchObject({ verdict: "told" });
  await minute(40);
  await minute(40);
  expect(await ask("lead")).toMatchObject(left);
  await expect(ask("nobody")).rejects.toMatchObject({
    ...{ code: "notfound", description: "Failed to locate receiver: nobody" },
  });
});
