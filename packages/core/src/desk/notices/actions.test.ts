import { describe, expect, test } from "vitest";
import { hot, invocations, join } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, type FleetOptions, useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";
import { scriptedClient } from "../../../test/scripted/scripted-client.ts";
import { jobRecords } from "../../../test/work/job-records.ts";
import { alertCollection } from "../../fleet/alerts/collection.ts";
import { newAlert } from "../../fleet/alerts/rules/definition/inputs.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { Action } from "../../wire/entries/actions-and-limits.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };
const mail = { enabled: true, condition: "alert_new", type: "email", email: "ops@example.com" };
const over = { ...mail, condition: "alert_cleared" };
const hook = { enabled: true, condition: "alert_new", type: "web_hook", web_hook: "chat" };
const body =
  '{"text":"{{text}}","kind":"{{notice.kind}}","alerts":"{{alerts[2].state}} {{alerts[2].severity}} {{alerts[2].subject.type}} {{alerts[2].alert.alert}}"}';
const three = ["s1", "s2", "s3"];

type Options = FleetOptions & { readonly actions?: readonly object[]; readonly alert?: Record<string, unknown> };

async function setUp({ actions = [mail, over], alert = {}, ...options }: Options = {}) {
  const { mailer, sent } = keepingMailer();
  const webHooks = scriptedClient();
  const fleet = await start({ config, mailer, webHooks, ...options });
  const { api } = fleet.signalbox;
  await api.createWebHook({ id: "chat", title: "Chat", url: "https://chat.example/x", method: "POST", body } as never);
  await api.createAlert({ ...hot, ...alert, actions } as never);
  const subjects = (): (string | undefined)[] => sent.map(({ subject }) => subject);
  return { fleet, api, sent, subjects, requests: webHooks.sent };
}

const joinAll = async (fleet: Fleet, ids: readonly string[]) => {
  const agents = [];
  for (const id of ids) agents.push(await join(fleet, id));
  return agents;
};

async function minute(fleet: Fleet, agents: readonly Awaited<ReturnType<typeof join>>[], temp: number) {
  await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / 60) * 60 + 61);
  for (const agent of agents) {
    const stored = fleet.next("server.minute");
    agent.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp } });
    await stored;
  }
  await fleet.clock.advance(2);
}

const results = async (fleet: Fleet) =>
  (await invocations(fleet)).map(({ actions = [] }) =>
    actions.map(({ condition, code, notice }: Action) => [condition, code, typeof notice]),
  );

describe("a mail of an alert", () => {
  test("names several servers at once, later all their ends at once, and is noted in each firing", async () => {
    const { fleet, api, sent, subjects } = await setUp();
    const agents = await joinAll(fleet, three);
    await minute(fleet, agents, 60);
    expect(sent).toEqual([]);
    for (const temp of [60, 60]) await minute(fleet, agents, temp);
    expect(subjects()).toEqual(["[warning] Too hot on 3 servers"]);
    for (const text of ["host-s1", "host-s2", "host-s3"]) expect(sent[0]?.text).toContain(text);
    await minute(fleet, agents, 40);
    await minute(fleet, agents, 40);
    await fleet.clock.advance(80);
    expect(subjects()).toEqual(["[warning] Too hot on 3 servers", "[cleared] Too hot on 3 servers"]);
    const each = [
      ["alert_new", 0, "string"],
      ["alert_cleared", 0, "string"],
    ];
    expect(await results(fleet)).toEqual([each, each, each]);
    const details = (await invocations(fleet)).map(({ actions = [] }) => Boolean(actions[0]?.["details"]));
    expect(details.filter(Boolean)).toHaveLength(1);
    const elapsedMs = (await invocations(fleet)).map(({ actions = [] }) =>
      actions.map((action) => action["elapsed_ms"]),
    );
    expect(elapsedMs).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    const answer = await api.getAlertInvocations({ ids: (await invocations(fleet)).map(({ id }) => id) } as never);
    expect(JSON.stringify(answer)).toContain('"title":"ops@example.com"');
    expect(fleet.told.batches).toEqual([]);
  });

  test("has the words of the alert when it names one server, and leaves at once", async () => {
    const { fleet, sent, subjects } = await setUp();
    const agents = await joinAll(fleet, ["s1"]);
    await minute(fleet, agents, 60);
    expect(subjects()).toEqual(["Signalbox: Alert on Web (host-s1): Too hot"]);
    expect(sent[0]?.text).toContain("60 degrees");
    await minute(fleet, agents, 40);
    await minute(fleet, agents, 40);
    expect(subjects()).toEqual([
      "Signalbox: Alert on Web (host-s1): Too hot",
      "Signalbox: Alert over on Web (host-s1): Too hot",
    ]);
  });

  test.each<[string, Options]>([
    ["an action that says so", { actions: [{ ...mail, per: "subject" }] }],
    ["the setting", { config: { ...config, notices: { group_actions: false } } }],
    ["an installation that notifies by actions alone", { config: { ...config, notices: { enabled: false } } }],
  ])("goes out for each server with %s", async (_what, options) => {
    const { fleet, sent } = await setUp(options);
    const agents = await joinAll(fleet, three);
    await minute(fleet, agents, 60);
    await fleet.clock.advance(80);
    expect(fleet.told.batches.flatMap(({ actions }) => actions.map(({ type }) => type))).toEqual([
      "email",
      "email",
      "email",
    ]);
    expect(sent).toEqual([]);
  });

  test("an action for ends alone runs if the firing was unheld for a minute, and not if it was silenced", async () => {
    const { fleet, api, subjects } = await setUp({ actions: [over] });
    const agents = await joinAll(fleet, ["s1"]);
    for (const temp of [60, 60, 40, 40]) await minute(fleet, agents, temp);
    expect(subjects()).toEqual(["Signalbox: Alert over on Web (host-s1): Too hot"]);
    const now = fleet.clock.now();
    await api.createSilence({ title: "Quiet", servers: ["s1"], start: now, end: now + 600 } as never);
    for (const temp of [60, 60, 40, 40]) await minute(fleet, agents, temp);
    expect(subjects()).toHaveLength(1);
  });

  test("an alert without an action for the end reports no end", async () => {
    const { fleet, subjects } = await setUp({ actions: [mail] });
    const agents = await joinAll(fleet, ["s1"]);
    for (const temp of [60, 40, 40, 40]) await minute(fleet, agents, temp);
    expect(subjects()).toHaveLength(1);
  });

  test("is repeated as the alert says, with the message of the latest minute", async () => {
    const { fleet, sent } = await setUp({ alert: { repeat_minutes: 2 } });
    const agents = await joinAll(fleet, ["s1"]);
    for (const temp of [60, 61, 62, 63]) await minute(fleet, agents, temp);
    expect(sent.map(({ text }) => /\d\d degrees.*/.exec(text ?? "")?.[0])).toEqual([
      "60 degrees, !",
      "62 degrees, ! (for 2 minutes)",
    ]);
    expect((await invocations(fleet))[0]?.actions?.map(({ round }) => round)).toEqual([undefined, 1]);
  });

  test("an action that waited for the end of a silence says so, and the firing lists it as suppressed", async () => {
    const { fleet, api, sent } = await setUp();
    const agents = await joinAll(fleet, ["s1"]);
    const now = fleet.clock.now();
    await api.createSilence({ title: "New disks", servers: ["s1"], start: now, end: now + 150 } as never);
    await minute(fleet, agents, 60);
    expect((await invocations(fleet))[0]?.suppressed).toMatchObject([
      { condition: "alert_new", by: { kind: "silence" } },
    ]);
    expect(sent).toEqual([]);
    for (const temp of [60, 60, 60]) await minute(fleet, agents, temp);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.text).toMatch(/60 degrees, ! \(silenced until \d\d:\d\d\)/);
  });

  test("an action and a receiver with the same address send one mail, also of the end", async () => {
    const { fleet, api, subjects } = await setUp();
    await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "OPS@example.com" });
    await api.createRoute({ id: "all", title: "All", group_wait: 30, steps: [{ after: 0, to: ["ops"] }] } as never);
    const agents = await joinAll(fleet, ["s1"]);
    await minute(fleet, agents, 60);
    await fleet.clock.advance(45);
    expect(subjects()).toEqual(["Signalbox: Alert on Web (host-s1): Too hot"]);
    await minute(fleet, agents, 40);
    await fleet.clock.advance(45);
    expect(subjects()).toHaveLength(2);
  });

  test("a failed action is retried and reported to the administrators, with the result in the firing", async () => {
    const { fleet, api } = await setUp({ actions: [{ ...mail, email: "nobody" }] });
    const agents = await joinAll(fleet, ["s1"]);
    await minute(fleet, agents, 60);
    const [found] = await invocations(fleet);
    expect(found?.actions).toMatchObject([
      { code: "email", description: "Failed to send e-mail: nobody: not a mail address" },
    ]);
    const { rows } = await api.searchNotices({ query: "*", limit: 10 });
    expect(rows.map(({ receiver, outcome }) => [receiver.slice(0, 2), outcome])).toEqual(
      expect.arrayContaining([
        ["ac", "failed"],
        ["@a", expect.any(String)],
      ]),
    );
  });
});

describe("a web hook of an alert", () => {
  test("is fired once for all servers of a fresh installation, with all of them in its body", async () => {
    const { fleet, requests } = await setUp({ actions: [hook] });
    const agents = await joinAll(fleet, three);
    await minute(fleet, agents, 60);
    await fleet.clock.advance(80);
    expect(requests).toHaveLength(1);
    expect(JSON.parse(String(requests[0]?.body))).toEqual({
      text: expect.stringMatching(/^Signalbox Too hot on 3: Web \(host-s\d\), .*#Alerts\?id=\w+$/),
      kind: "firing",
      alerts: "new warning server hot",
    });
  });

  test.each<[string, object, number, number]>([
    ["for each server", {}, 3, 0],
    ["once for all if it says so", { per: "problem" }, 0, 1],
  ])("of an older installation is fired %s", async (_how, members, alone, shared) => {
    const clock = fakeClock();
    const storage = memoryStorage({ clock });
    // The store holds an alert that an older version created.
    const stamp = { id: "before", username: "ann", now: clock.now() };
    const alert = newAlert({ title: "Before", expression: "temp > 1000", message: "" }, stamp);
    await storage.open([alertCollection]);
    await storage.write((tx) => tx.collection(alertCollection).insert(alert));
    const { fleet, requests } = await setUp({ actions: [{ ...hook, ...members }], clock, storage });
    const agents = await joinAll(fleet, three);
    await minute(fleet, agents, 60);
    await fleet.clock.advance(80);
    expect(fleet.told.batches).toHaveLength(alone);
    expect(requests).toHaveLength(shared);
  });
});

test("a web hook by problem lists the jobs that ran at the firing and still run", async () => {
  const jobs = ["j1", "jover"].map((id) => ({ id, event: "e1", tickets: [] }));
  const { fleet, api, requests } = await setUp({ actions: [hook], jobs });
  await api.updateWebHook({ id: "chat", body: "{{active_jobs}} {{nice_active_jobs}}" });
  await jobRecords(fleet.storage).active("j1");
  await minute(fleet, await joinAll(fleet, ["s1"]), 60);
  await fleet.clock.advance(5);
  expect(requests.map((request) => request.body)).toEqual([
    '[{"id":"j1","event":"e1"}] - [j1](http://localhost:5522/#Job?id=j1)',
  ]);
});

test("live alerts count as reported to receivers that were notified for their server alone", async () => {
  const clock = fakeClock();
  const storage = memoryStorage({ clock });
  const alone = { ...config, notices: { group_actions: false } };
  const actions = [mail, over, { ...mail, email: "boss@example.com" }];
  const before = await setUp({
    ...{ clock, storage, config: alone, actions },
    runAction: ({ email }) => (email === "boss@example.com" ? { code: "email" } : { code: 0 }),
  });
  const agents = await joinAll(before.fleet, ["s1"]);
  await minute(before.fleet, agents, 60);
  await before.fleet.signalbox.stop();
  const { mailer, sent } = keepingMailer();
  const after = await start({ config, mailer, clock, storage });
  await clock.advance(15);
  expect(sent.map(({ to }) => to)).toEqual([["boss@example.com"]]);
  const again = await joinAll(after, ["s1"]);
  await minute(after, again, 40);
  await minute(after, again, 40);
  await clock.advance(5);
  expect(sent.map(({ to, subject }) => [to?.[0], subject])).toEqual([
    ["boss@example.com", "Signalbox: Alert on Web (host-s1): Too hot"],
    ["ops@example.com", "Signalbox: Alert over on Web (host-s1): Too hot"],
  ]);
});

test.each<[object]>([
  [{ ...mail, per: "server" }],
  [{ ...mail, per: 1 }],
  [{ enabled: true, condition: "alert_new", type: "snapshot", per: "subject" }],
])("%j is refused", async (action) => {
  const { api } = await setUp();
  await expect(api.createAlert({ ...hot, id: "other", actions: [action] } as never)).rejects.toThrow(
    "Malformed action entry #1: Invalid value for per.",
  );
});
