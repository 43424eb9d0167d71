import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

const hot = { id: "hot", title: "Too hot", expression: "temp >= 50", message: "{{temp}} degrees" };
const hook = {
  id: "chat",
  title: "Chat",
  url: "https://chat.example/x",
  method: "POST",
  body: "{{text}}",
  enabled: true,
};
const config = { tz: "UTC", alert_universal_actions: [] };

/** An engine over a storage, servers that report when told to, and the requests to a web hook. */
async function open(name: string, servers: readonly string[]) {
  const sent: string[] = [];
  const webHooks = {
    async send({ body = "" }: { readonly body?: string | Uint8Array }) {
      sent.push(String(body));
      return { status: 200, statusText: "OK", headers: {}, body: "ok", elapsedMs: 1 };
    },
  };
  const { admin, agent, clock, limited, next } = await openEngine(name, { config, webHooks });
  await admin.post("create_alert", hot);
  await admin.post("create_web_hook", hook);
  await admin.post("create_receiver", { id: "room", title: "Room", type: "web_hook", web_hook: "chat" });
  const route = { id: "all", title: "All", repeat_interval: 600, steps: [{ after: 0, to: ["room"] }] };
  expect((await admin.post("create_route", route)).body.route).toMatchObject({ group_by: ["alert"], sort_order: 0 });
  const agents = await Promise.all(
    servers.map((id) => agent.connect({ hostname: `${id}.example.internal`, id, initial: { groups: ["main"] } })),
  );
  return {
    ...{ admin, clock, sent, limited },
    /** Plays a minute in which the samples of all servers arrive at once. */
    async minute(temp: number) {
      await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
      for (const server of agents) {
        const stored = next("server.minute");
        server.send("monitor", { version: "1.0", date: clock.now(), data: { temp } });
        await stored;
      }
    },
    /** Waits until no notice is pending. */
    settled: () =>
      untilOf(clock)(async () => (await admin.get("search_notices/v1?query=outcome:pending")).body.list.length === 0),
    /** Queued work needs turns of the event loop. */
    told: (count: number) => untilOf(clock)(async () => sent.length >= count),
    until: untilOf(clock),
  };
}

/** Checks the explanation of a firing that was notified, repeated and ended, on three servers at once. */
async function explains(at: Awaited<ReturnType<typeof open>>, invocation: string): Promise<void> {
  const explained = await at.admin.post("explain_notice", { invocation, timezone: "UTC" });
  expect(explained.body).toMatchObject({ invocation, state: "idle", verdict: "told", also: [] });
  expect(explained.body.rows).toMatchObject([
    { receiver: "room", title: "Room", told: [{ receiver: "room", count: 2 }] },
  ]);
  const { history } = explained.body;
  expect(history.flatMap(({ verdict = [] }) => verdict)).toEqual(["held", "told", "told", "told"]);
  expect(history.flatMap(({ reason = [] }) => reason).slice(1)).toEqual([
    expect.stringMatching(/^Told to Room at \d\d:\d\d in one notice with 2 other servers\.$/),
    expect.stringMatching(/^Told again at \d\d:\d\d, as every 10 minutes\.$/),
    expect.stringMatching(/^Its end was told to Room at \d\d:\d\d\.$/),
  ]);
  const [, told] = history.filter(({ verdict }: { verdict?: string }) => verdict);
  const about = { alert: "hot", subject: "s1", receiver: "room", timezone: "UTC" };
  const then = await at.admin.post("explain_notice", { ...about, minute: told.from });
  expect(then.body).toMatchObject({ state: "live", verdict: "told", due: null });
  expect(then.body.reason).toMatch(/^Told to Room at .* with 2 other servers\.$/);
  const before = await at.admin.post("explain_notice", { ...about, minute: told.from - 7200 });
  expect(before.body).toMatchObject({ state: "idle", verdict: "none", rows: [{ receiver: null }] });
  expect(before.body).not.toHaveProperty("invocation");
}

describe.each(ONE_STORAGE)("notices over %s", (name) => {
  test("a firing on three servers is one request, is repeated as one, and ends as one", async () => {
    const at = await open(name, ["s1", "s2", "s3"]);
    await at.minute(60);
    await at.minute(61);
    await at.minute(62);
    await at.told(1);
    expect(at.sent[0]).toMatch(/^Signalbox Too hot on 3: s1\S*, s2\S*, s3\S*: http/);
    for (let count = 0; count < 10; count++) await at.minute(60);
    await at.told(2);
    expect(at.sent[1]).toContain("Still firing: Too hot on s1, s2, s3: 60");
    await at.minute(40);
    await at.minute(40);
    await at.minute(40);
    await at.told(3);
    expect(at.sent[2]).toContain("Over: Too hot on 3: s1, s2, s3");
    await at.settled();
    const { body } = await at.admin.get("search_notices/v1?query=receiver:room&limit=10");
    expect(body.rows.map(({ kind }: { kind: string }) => kind)).toEqual(["cleared", "repeat", "firing"]);
    const [invocation] = body.rows[0].over;
    await explains(at, invocation);
  });

  test("an acknowledgement with an end holds the firing until then, and its repetitions continue", async () => {
    const at = await open(name, ["s1"]);
    await at.minute(60);
    await at.told(1);
    const problem = async () => (await at.admin.get("get_problems/v1")).body.rows[0];
    const { id, members } = await problem();
    const take = (operation: string, about: string, expires: number) =>
      at.admin.post(operation, { id: about, comment: "Mine", expires });
    const past = {
      status: 400,
      body: { code: "alert", description: "The end of an acknowledgement must be in the future." },
    };
    expect(await take("acknowledge_problem", id, at.clock.now())).toMatchObject(past);
    expect(await take("acknowledge_alert_invocation", members[0].invocation, 5)).toMatchObject(past);
    const expires = Math.floor(at.clock.now()) + 660;
    expect((await take("acknowledge_problem", id, expires)).body.code).toBe(0);
    for (let count = 0; count < 10; count++) await at.minute(60);
    await at.settled();
    expect(at.sent).toHaveLength(1);
    expect((await problem()).members[0].hold).toMatchObject({ kind: "acknowledgement", until: expires });
    for (let count = 0; count < 2; count++) await at.minute(60);
    await at.told(2);
    expect(at.sent[1]).toContain("Still firing: Too hot");
    expect((await problem()).members[0]).not.toHaveProperty("hold");
    const { body } = await at.admin.post("search_activity", { query: "action:alert_unacknowledge", limit: 5 });
    expect(body.rows).toMatchObject([{ description: "The acknowledgement has ended." }]);
  });

  test("a server that comes and goes is reported as flapping, with its newest message and the reason", async () => {
    const at = await open(name, ["s1"]);
    await at.admin.post("update_alert", { id: "hot", flap_count: 2, flap_window: 600 });
    await at.admin.post("update_route", { id: "all", group_interval: 60 });
    const flap = async () => (await at.admin.get("get_problems/v1")).body.rows[0]?.members.at(-1).flap;
    await at.minute(60);
    await at.told(1);
    await at.minute(40);
    await at.told(2);
    await at.minute(61);
    await at.until(async () => (await flap())?.count === 2);
    await at.minute(40);
    await at.minute(62);
    await at.until(async () => (await flap())?.count === 3);
    await at.minute(62);
    await at.told(3);
    expect(at.sent[2]).toMatch(/^Signalbox Flapping: Too hot on s1\S*: fired \d times: 6[12] degrees: http/);
    const { latest } = await flap();
    const { body } = await at.admin.post("explain_notice", { invocation: latest, timezone: "UTC" });
    expect(body.reason).toMatch(/^It fired 3 times in 10 minutes, so it was told once as flapping at /);
    const refused = await at.admin.post("update_alert", { id: "hot", flap_count: 1 });
    expect(refused.body).toMatchObject({ code: "alert", description: "Invalid value for flap_count" });
  });

  test("invocations name their receivers, their hold, and the firing that they continue", async () => {
    const at = await open(name, ["s1"]);
    const firings = async () => (await at.admin.post("search_alerts", { query: "alert:hot", limit: 5 })).body.rows;
    await at.minute(60);
    await at.told(1);
    await at.settled();
    const [first] = await firings();
    expect(first).not.toHaveProperty("held");
    expect(first.told).toEqual([
      { receiver: "room", title: "Room", first: expect.any(Number), last: expect.any(Number), count: 1 },
    ]);
    await at.admin.post("update_route", { id: "all", group_wait: 600 });
    await at.minute(40);
    await at.minute(60);
    await at.until(async () => (await firings())[0].continues !== undefined);
    const [second] = await firings();
    expect(second).toMatchObject({ active: true, continues: first.id, told: first.told });
    await at.admin.post("acknowledge_alert_invocation", { id: second.id, comment: "Mine" });
    await at.until(async () => (await firings())[0].held !== undefined);
    const { alerts } = (await at.admin.post("get_alert_invocations", { ids: [second.id, first.id] })).body;
    expect(alerts).toMatchObject([
      { held: { kind: "acknowledgement", title: "Mine" }, told: first.told },
      { told: [] },
    ]);
    expect(at.sent).toHaveLength(1);
  });

  test("explain_notice accepts an alert on a subject, and agrees with explain_alert about a live firing", async () => {
    const at = await open(name, ["s1"]);
    const ask = (members: Record<string, unknown>) => at.admin.post("explain_notice", { timezone: "UTC", ...members });
    expect((await ask({ alert: "hot", subject: "s1" })).body).toMatchObject({
      ...{
        state: "idle",
        verdict: "none",
        due: null,
        told: [],
        reason: expect.stringMatching(/^Nobody is told: Too hot is not firing on s1/),
      },
    });
    await at.admin.post("create_silence", { id: "works", title: "Works", servers: ["s1"], end: at.clock.now() + 3600 });
    await at.minute(60);
    await at.until(async () => (await ask({ alert: "hot", subject: "s1" })).body.verdict === "held");
    const { body } = await ask({ alert: "hot", subject: "s1" });
    expect(body).toMatchObject({ state: "live", by: { kind: "silence", id: "works" }, due: body.by.until, told: [] });
    expect(body.reason).toMatch(
      /^Not told: silence "Works" until .*, made by .*; it will be told then if it is still firing\.$/,
    );
    const { rows } = (await at.admin.post("explain_alert", { alert: "hot", server: "s1", timezone: "UTC" })).body;
    expect(rows[0].notices).toEqual(body.rows);
    await at.admin.post("acknowledge_alert_invocation", { id: body.invocation, comment: "Mine" });
    await at.until(async () => (await ask({ alert: "hot", subject: "s1" })).body.by.kind === "acknowledgement");
    expect((await ask({ alert: "hot", subject: "s1" })).body.also).toMatchObject([{ kind: "silence", id: "works" }]);
    const refusals = [
      await ask({}),
      await ask({ alert: "none", subject: "s1" }),
      await ask({ alert: "hot", subject: "s9" }),
      await ask({ alert: "hot", subject: "check:c9" }),
      await (await at.limited(["db"], {})).post("explain_notice", { alert: "hot", subject: "s1" }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 404, 404, 404, 403]);
  });

  test("reads by GET accept numbers and flags as text", async () => {
    const at = await open(name, ["s1"]);
    const handover = { weekday: 1, at: "09:00" };
    const layers = [{ users: ["ann"], turn: "week", every: 1, handover, start: "2026-01-05" }];
    await at.admin.post("create_rota", { id: "duty", title: "Duty", timezone: "UTC", layers });
    const asked = [
      "get_rota/v1?id=duty&from=1767600000&to=1767700000",
      "get_problems/v1?open=0",
      "explain_notice/v1?alert=hot&subject=s1&minute=1767600000",
    ];
    for (const path of asked) expect((await at.admin.get(path)).body).toMatchObject({ code: 0 });
  });

  test("records are refused with their own codes, and limited to the caller's reach", async () => {
    const at = await open(name, ["s1"]);
    expect((await at.admin.post("create_route", { title: "None" })).body).toMatchObject({
      code: "route",
      description: "A route needs at least one step with a receiver.",
    });
    expect((await at.admin.post("delete_receiver", { id: "room" })).body).toMatchObject({
      code: "receiver",
      description: "In use by route all",
    });
    const other = await at.limited(["elsewhere"], { manage_routes: true, acknowledge_alerts: true });
    const refused = await other.post("update_route", { id: "all", title: "Mine" });
    expect([refused.status, refused.body.code]).toEqual([403, "route"]);
    await at.minute(60);
    await at.told(1);
    expect((await other.get("get_problems/v1")).body.rows).toEqual([]);
    const { body } = await at.admin.get("get_problems/v1");
    expect((await other.post("acknowledge_problem", { id: body.rows[0].id })).body.code).toBe("access");
    expect((await at.admin.post("acknowledge_problem", { id: body.rows[0].id })).body.code).toBe(0);
  });
});

describe.each(ONE_STORAGE)("a back-test of notices over %s", (name) => {
  test("answers the notices of other routes for the stored firings, and stores nothing", async () => {
    const at = await open(name, ["s1", "s2", "s3"]);
    await at.admin.post("update_route", {
      id: "all",
      group_by: ["alert", "subject"],
      ...{ group_wait: 0, group_interval: 10, repeat_interval: 0 },
    });
    for (const [index, temp] of [60, 40, 60, 40].entries()) {
      await at.minute(temp);
      await at.told(3 * (index + 1));
    }
    await at.settled();
    await at.clock.advance(60);
    const asked = { group: "main", timezone: "UTC" };
    const same = (await at.admin.post("backtest_notices", asked)).body;
    expect(same).toMatchObject({ code: 0, firings: 6, truncated: false, untold: [] });
    expect(same.summary).toBe("These 12 notices would have been these 12.");
    expect(same.by_receiver).toMatchObject([{ receiver: "room", title: "Room", notices: 12 }]);
    const grouped = { all: { group_by: ["alert"], group_wait: 30 } };
    const fewer = (await at.admin.post("backtest_notices", { ...asked, routes: grouped })).body;
    const subjects = ["[warning] Too hot on 3 servers", "[cleared] Too hot on 3 servers"];
    expect(fewer.notices.map(({ subject }: { subject: string }) => subject)).toEqual([...subjects, ...subjects]);
    expect(fewer.summary).toBe("These 12 notices would have been these 4.");
    const silent = (await at.admin.post("backtest_notices", { ...asked, routes: { all: null, normal: null } })).body;
    expect(silent).toMatchObject({ notices: [], by_day: [] });
    expect(silent["then"]).toMatchObject([{ receiver: "room", notices: 12 }]);
    expect(silent.untold).toHaveLength(6);
    expect(silent.untold[0]).toMatchObject({ alert: "hot", by: "no_route" });
    const delayed = (await at.admin.post("backtest_notices", { ...asked, alerts: { hot: { notice_after: 600 } } }))
      .body;
    expect(delayed).toMatchObject({ notices: [], held: { delay: 6 } });
    expect(at.sent).toHaveLength(12);
    expect((await at.admin.post("get_route", { id: "all" })).body.route.group_by).toEqual(["alert", "subject"]);
    const foreign = await at.limited(["other"], { edit_alerts: true });
    const { body } = await foreign.post("backtest_notices", { routes: grouped });
    expect([body["firings"], body["then"]]).toEqual([0, []]);
  });
});

test.each([
  [{ from: 5, to: 5 }, "notice", "The time that is looked at must begin before it ends."],
  [{ from: 0, to: 9 * 86_400 }, "notice", "That is more than 8 days: ask for less time."],
  [{ routes: { all: { steps: [] } } }, "notice", "A route needs at least one step with a receiver."],
  [{ acknowledge_after: -1 }, "api", expect.stringContaining("acknowledge_after")],
  [{ timezone: "Mars" }, "api", expect.stringContaining("timezone")],
])("a back-test of notices with %j is refused", async (input, code, description) => {
  const at = await open("memory", []);
  expect((await at.admin.post("backtest_notices", input)).body).toMatchObject({ code, description });
});
