import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";

type Members = Record<string, unknown>;

async function setUp(name: string, members: Members = {}) {
  const { admin, clock, engine, send } = await openEngine(name, {
    config: { base_app_url: "https://ops.example.com/" },
  });
  const { body } = await admin.post("create_heartbeat", {
    ...{ id: "hb_db", title: "Database copy", every: "1 hour", grace: 60, tags: ["nightly"] },
    ...members,
  });
  const ping = (rest: string, init: RequestInit = {}, token: string = body.token) =>
    send(`/api/app/heartbeat/${token}${rest}`, { method: "GET", ...init });
  const beats = async () => (await admin.post("get_heartbeat", { id: "hb_db" })).body;
  const alerts = async (): Promise<string[]> => {
    const { rows } = (await admin.post("search_alerts", { query: "heartbeat:hb_db", limit: 50 })).body;
    return rows.map((row: Members) => `${row["alert"]} ${row["active"] ? "live" : "over"}`).toReversed();
  };
  /** Waits in real time as well: a database takes its own time, regardless of the engine's clock. */
  const becomes = async (expected: readonly string[]) => {
    const isSo = async () => JSON.stringify(await alerts()) === JSON.stringify(expected);
    for (let turn = 0; turn < 300 && !(await isSo()); turn++) {
      await clock.advance(1);
      await pause(5);
    }
    expect(await alerts()).toEqual(expected);
  };
  const minute = async () => {
    await clock.advance(60);
    await clock.advance(1);
  };
  return { admin, clock, engine, send, saved: body, ping, beats, alerts, becomes, minute };
}

describe.each(ONE_STORAGE)("a heartbeat, on %s", (name) => {
  test("a missing heartbeat fires an alert, is explained, and is over with the next success", async () => {
    const at = await setUp(name, { every: "2 minutes" });
    const { admin, saved } = at;
    expect(saved).toMatchObject({ code: 0, heartbeat: { id: "hb_db", every: 120, category: "general" } });
    expect(saved.token).toMatch(/^[\w-]{43}$/);
    expect(saved.url).toBe(`https://ops.example.com/api/app/heartbeat/${saved.token}`);
    expect(JSON.stringify(await at.beats())).not.toContain(saved.token);
    await at.minute();
    expect(await at.ping("")).toMatchObject({ status: 200, body: { code: 0 } });
    await at.minute();
    await at.minute();
    expect(await at.alerts()).toEqual([]);
    await at.minute();
    await at.minute();
    await at.becomes(["heartbeat_late live"]);
    const { rows } = (await admin.post("explain_alert", { alert: "heartbeat_late", heartbeat: "hb_db" })).body;
    const subject = { type: "heartbeat", id: "hb_db", title: "Database copy" };
    expect(rows).toMatchObject([{ server: "", hostname: "Database copy", subject, state: "live", result: true }]);
    expect(rows[0].invocation.message).toMatch(/^Nothing heard in time: \d+ seconds late$/);

    expect((await at.ping("/7", { method: "POST", body: "no room\n" })).status).toBe(200);
    await at.minute();
    await at.becomes(["heartbeat_late live", "heartbeat_failed live"]);
    const failed = (await admin.post("search_alerts", { query: "alert:heartbeat_failed", limit: 5 })).body.rows;
    expect(failed[0]).toMatchObject({ message: "The work has failed, status 7", category: "general" });
    await at.ping("", { method: "HEAD" });
    await at.minute();
    await at.becomes(["heartbeat_late over", "heartbeat_failed over"]);
    const { pings } = await at.beats();
    expect(pings.map(({ kind, exit, body }: Members) => [kind, exit, body])).toEqual([
      ["success", undefined, undefined],
      ["fail", 7, "no room\n"],
      ["success", undefined, undefined],
    ]);
  });

  test("accepts any text, finds words of failure in it, and keeps its beginning", async () => {
    const at = await setUp(name, { fail_words: ["ERROR"] });
    const texts = {
      "text/plain": "{not json",
      "application/json": "[1]",
      "application/x-www-form-urlencoded": "a=%zz&b",
    };
    for (const [type, body] of Object.entries(texts)) {
      await at.clock.advance(1);
      const sent = { method: "POST", body, headers: { "content-type": type } };
      expect(await at.ping("", sent)).toMatchObject({ status: 200, body: { code: 0 } });
    }
    await at.clock.advance(1);
    expect((await at.ping("", { method: "POST", body: `${"x".repeat(20_000)} ERROR` })).status).toBe(200);
    const { pings } = await at.beats();
    expect(pings.map(({ kind }: Members) => kind)).toEqual(["fail", "success", "success", "success"]);
    expect(pings[0].body).toBe("x".repeat(10_240));
    expect(pings.slice(1).map(({ body }: Members) => body)).toEqual(Object.values(texts).toReversed());
    expect((await at.ping("", { method: "POST", body: "x".repeat(102_400) })).status).toBe(200);
    expect((await at.ping("/log", { method: "POST", body: "x".repeat(102_401) })).status).toBe(413);
  });
});

test("after a pause of the machine, calls that it could not take have their grace again before they are late", async () => {
  const at = await setUp("sqlite", { every: "5 minutes", grace: 180 });
  await at.ping("");
  await at.minute();
  at.clock.step(3600);
  await at.minute();
  await at.minute();
  expect(await at.alerts()).toEqual([]);
  await at.ping("");
  for (let minute = 0; minute < 7; minute++) await at.minute();
  expect(await at.alerts()).toEqual([]);
  await at.minute();
  await at.minute();
  await at.becomes(["heartbeat_late live"]);
  at.clock.step(3600);
  await at.minute();
  expect(await at.alerts()).toEqual(["heartbeat_late live"]);
  await at.minute();
  await at.minute();
  await at.minute();
  expect(await at.alerts()).toEqual(["heartbeat_late live"]);
});

test("a run that takes too long is told of, and one that is alive is not", async () => {
  const at = await setUp("memory", { finish_within: "2 minutes" });
  await at.ping("/start?run=a");
  for (let count = 0; count < 3; count++) {
    await at.minute();
    await at.ping("/alive?run=a");
  }
  expect(await at.alerts()).toEqual([]);
  for (let count = 0; count < 3; count++) await at.minute();
  await at.becomes(["heartbeat_late live"]);
  const tried = await at.admin.post("test_alert", {
    ...{ heartbeat: "hb_db", expression: "beat.running == 1", message: "{{heartbeat.title}}" },
  });
  expect(tried.body).toMatchObject({ result: true, message: "Database copy" });
  await at.ping("?run=a");
  await at.minute();
  await at.becomes(["heartbeat_late over"]);
});

test("a heartbeat with a schedule is late after its time, with its own severity", async () => {
  const at = await setUp("memory", { every: undefined, schedule: "*/5 * * * *", grace: 60, severity: "critical" });
  expect(at.saved.heartbeat).toMatchObject({ schedule: "*/5 * * * *", severity: "critical" });
  await at.ping("");
  for (let count = 0; count < 5; count++) await at.minute();
  await at.ping("");
  expect(await at.alerts()).toEqual([]);
  for (let count = 0; count < 11; count++) await at.minute();
  await at.becomes(["heartbeat_late live"]);
  const { rows } = (await at.admin.post("search_alerts", { query: "heartbeat:hb_db", limit: 5 })).body;
  expect(rows).toMatchObject([{ severity: "critical", subject: { severity: "critical" } }]);
  const changed = (await at.admin.post("update_heartbeat", { id: "hb_db", every: "1 hour" })).body.heartbeat;
  expect(changed).toMatchObject({ every: 3600, schedule: null });
});

test("a missing start is reported", async () => {
  const at = await setUp("memory", { every: "2 minutes", grace: 3600, start_grace: 30 });
  await at.ping("/start");
  await at.ping("");
  expect(await at.alerts()).toEqual([]);
  for (let count = 0; count < 4; count++) await at.minute();
  await at.becomes(["heartbeat_late live"]);
  const { rows } = (await at.admin.post("search_alerts", { query: "heartbeat:hb_db", limit: 5 })).body;
  expect(rows[0].message).toMatch(/^No start in time: \d+ seconds late$/);
  await at.ping("/start");
  await at.minute();
  await at.becomes(["heartbeat_late over"]);
});

test("a disabled heartbeat is not evaluated, and counts from zero when it is enabled", async () => {
  const at = await setUp("memory", { every: 60, grace: 0 });
  await at.ping("");
  for (let count = 0; count < 3; count++) await at.minute();
  await at.becomes(["heartbeat_late live"]);
  await at.admin.post("update_heartbeat", { id: "hb_db", enabled: false });
  await at.minute();
  await at.becomes(["heartbeat_late over"]);
  await at.admin.post("update_heartbeat", { id: "hb_db", enabled: true });
  await at.minute();
  expect(await at.alerts()).toEqual(["heartbeat_late over"]);
  await at.minute();
  await at.minute();
  await at.becomes(["heartbeat_late over", "heartbeat_late live"]);
});

test("an unknown or replaced address has its own status, and only the newest works", async () => {
  const at = await setUp("memory");
  const unknown = { status: 404, body: { code: "notfound", description: "Unknown heartbeat." } };
  expect(await at.ping("", {}, "x".repeat(43))).toMatchObject(unknown);
  expect(await at.ping("/256")).toMatchObject(unknown);
  expect((await at.ping("?run=a%20b")).status).toBe(400);
  const { body } = await at.admin.post("rotate_heartbeat_token", { id: "hb_db" });
  expect(await at.ping("")).toMatchObject(unknown);
  expect((await at.ping("", {}, body.token)).status).toBe(200);
  await at.admin.post("delete_heartbeat", { id: "hb_db" });
  expect(await at.ping("", {}, body.token)).toMatchObject(unknown);
});

test("repeated calls count once, and more than sixty others a minute are refused", async () => {
  const at = await setUp("memory");
  for (let call = 0; call < 70; call++) expect((await at.ping("")).status).toBe(200);
  expect((await at.beats()).pings).toHaveLength(1);
  for (let call = 1; call < 60; call++) expect((await at.ping(`/start?run=r${call}`)).status).toBe(200);
  expect(await at.ping("/fail")).toMatchObject({ status: 429, body: { code: "rate" } });
  await at.clock.advance(61);
  for (let call = 0; call <= 600; call++) expect((await at.ping("")).status).toBe(200);
  expect((await at.ping("")).status).toBe(429);
});

test("callers of other categories can neither see nor change it, and a silence can name it", async () => {
  const at = await setUp("memory", { every: 60, grace: 0 });
  await at.admin.post("create_category", { id: "web", title: "Web" });
  const create = { title: "Web", privileges: { manage_checks: true }, categories: ["web"], groups: [] };
  const { body: key } = await at.admin.post("create_api_key", create);
  const stranger = async (operation: string, input: object) => {
    const headers = { "x-api-key": key.plain_key, "content-type": "application/json" };
    return (await at.send(`/api/app/${operation}/v1`, { method: "POST", headers, body: JSON.stringify(input) })).body;
  };
  expect((await stranger("get_heartbeats", {})).rows).toEqual([]);
  const refused = { description: expect.stringContaining("category ID general") };
  for (const operation of ["get_heartbeat", "update_heartbeat", "rotate_heartbeat_token", "delete_heartbeat"])
    expect(await stranger(operation, { id: "hb_db" })).toMatchObject(refused);
  expect(await stranger("create_heartbeat", { title: "Mine", every: 60 })).toMatchObject(refused);
  const own = { id: "mine", title: "Mine", every: 60, category: "web" };
  expect(await stranger("create_heartbeat", own)).toMatchObject({ code: 0 });
  expect(await stranger("update_heartbeat", { id: "mine", category: "general" })).toMatchObject(refused);

  await at.admin.post("create_silence", { id: "move", title: "Move", heartbeats: ["hb_db"], end: 4_000_000_000 });
  await at.ping("");
  for (let count = 0; count < 3; count++) await at.minute();
  await at.becomes(["heartbeat_late live"]);
  const { rows } = (await at.admin.post("explain_alert", { alert: "heartbeat_late", heartbeat: "hb_db" })).body;
  expect(rows).toMatchObject([{ silenced_by: { kind: "silence", id: "move" } }]);
  expect((await at.admin.post("delete_category", { id: "web" })).body).toMatchObject({
    description: "Failed to delete category: Still in use by one or more heartbeats.",
  });
});

test("a route may be for heartbeats alone, or for heartbeats of some categories", async () => {
  const at = await setUp("memory", { every: 60, grace: 0 });
  await at.admin.post("create_receiver", { id: "ops", title: "Ops", type: "user", users: ["admin"] });
  const create = (id: string, match: object) =>
    at.admin.post("create_route", { ...{ id, title: id, match, continue: true }, steps: [{ after: 0, to: ["ops"] }] });
  expect((await create("nothing", { subjects: ["pulse"] })).body).toMatchObject({ code: "route" });
  await create("checks", { subjects: ["check"] });
  await create("elsewhere", { subjects: ["heartbeat"], categories: ["web"] });
  await create("beats", { subjects: ["heartbeat"], categories: ["general"] });
  const { routes: rows } = (await at.admin.post("test_route", { subject: "heartbeat", category: "general" })).body;
  // Routes of a fresh store come after these.
  expect(rows.slice(0, 3).map(({ id, matches }: Members) => [id, matches])).toEqual([
    ["checks", false],
    ["elsewhere", false],
    ["beats", true],
  ]);
  await at.ping("");
  for (let count = 0; count < 3; count++) await at.minute();
  await at.becomes(["heartbeat_late live"]);
  await at.clock.advance(2);
  const notices = (await at.admin.post("search_notices", { limit: 10 })).body.rows;
  const own = notices.filter(({ route }: Members) => route !== "normal");
  expect(own).toMatchObject([{ route: "beats", kind: "firing", outcome: "sent", categories: ["general"] }]);
});

test.each([
  [{ every: 5 }, "Invalid value for every"],
  [{ every: undefined }, "Invalid value for every"],
  [{ schedule: "0 3 * * *" }, "A heartbeat has either every or a schedule."],
  [{ every: undefined, schedule: "often" }, "Invalid value for schedule"],
  [{ timezone: "Europe/Nowhere" }, "Invalid value for timezone"],
  [{ severity: "bad" }, "Invalid value for severity"],
  [{ start_grace: -1 }, "Invalid value for start_grace"],
  [{ server: "nope" }, "Server not found: nope"],
  [{ every: "often" }, "Invalid value for every"],
  [{ grace: -1 }, "Invalid value for grace"],
  [{ finish_within: "0 s" }, "Invalid value for finish_within"],
  [{ fail_words: [""] }, "Invalid value for fail_words"],
  [{ category: "nope" }, "Category not found: nope"],
])("%j is refused", async (members, description) => {
  expect((await setUp("memory", members)).saved).toMatchObject({ code: "heartbeat", description });
});
