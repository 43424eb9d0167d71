import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

type Members = Record<string, unknown>;

/** An action on a machine, so it does nothing for events. */
const snapshot = { enabled: true, hidden: true, condition: "alert_new", type: "snapshot" };
const config = { tz: "UTC", job_universal_actions: { default: [], workflow: [] }, alert_universal_actions: [snapshot] };

async function setUp(name: string, expected: Members) {
  const { admin, agent, clock, send } = await openEngine(name, { config });
  const server = await agent.connect({ hostname: "web01.example.com", id: "s1", initial: { groups: ["main"] } });
  const until = untilOf(clock);
  const { body } = await admin.post("create_event", {
    ...{ id: "backup", title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["main"] },
    ...{ algo: "random", params: { script: "echo" }, triggers: [{ type: "manual", enabled: true }], expect: expected },
  });
  const launch = async (): Promise<string> => {
    const { body: run } = await admin.post("run_event", { id: "backup" });
    await until(() => server.received.some(({ cmd, data }) => cmd === "launch_job" && idOf(data) === run.id));
    return run.id;
  };
  const end = async (id: string, code: number | string = 0) => {
    server.send("jobs", { [id]: { state: "complete", complete: true, code, description: "As told" } });
    await until(async () => (await admin.post("get_job", { id })).body.job?.final === true);
  };
  const minute = async () => {
    await clock.advance(60);
    await clock.advance(1);
  };
  /** Ids of alerts, and whether they are live, oldest first. */
  const fired = async (): Promise<string[]> => {
    const { rows } = (await admin.post("search_alerts", { query: "event:backup", limit: 50 })).body;
    return rows.map((row: Members) => `${row["alert"]} ${row["active"] ? "live" : "over"}`).toReversed();
  };
  /** Waits in real time as well: a database takes its own time, regardless of the engine's clock. */
  const becomes = async (expected: readonly string[]) => {
    const isSo = async () => JSON.stringify(await fired()) === JSON.stringify(expected);
    for (let turn = 0; turn < 300 && !(await isSo()); turn++) {
      await clock.advance(1);
      await pause(5);
    }
    expect(await fired()).toEqual(expected);
  };
  return { admin, clock, send, saved: body, launch, end, minute, fired, becomes };
}

const idOf = (data: unknown): unknown => (data as { job?: { id?: string } }).job?.id;

describe.each(ONE_STORAGE)("expectations of events, on %s", (name) => {
  test("a missing success is reported once, explained, and over with the next success", async () => {
    const at = await setUp(name, { success_every: "2 minutes", grace: 0 });
    const { admin } = at;
    expect(at.saved.event.expect).toEqual({ success_every: 120, grace: 0, from: expect.any(Number) });
    await admin.post("create_receiver", { id: "team", title: "Team", type: "user", users: ["@admins"] });
    await admin.post("create_route", {
      ...{ id: "batch", title: "Batch", match: { subjects: ["event"], categories: ["general"] } },
      steps: [{ after: 0, to: ["team"] }],
    });
    await at.minute();
    await at.minute();
    expect(await at.fired()).toEqual([]);
    await at.minute();
    await at.minute();
    await at.becomes(["event_overdue live"]);
    const { rows } = (await admin.post("search_alerts", { query: "event:backup", limit: 50 })).body;
    const subject = { type: "event", id: "backup", title: "Backup" };
    expect(rows[0]).toMatchObject({ server: "", subject, category: "general", groups: [] });
    expect(rows[0].actions ?? []).toEqual([]);
    expect(rows[0].message).toMatch(/^No success in time: \d+ seconds late$/);
    const explained = (await admin.post("explain_alert", { alert: "event_overdue", event: "backup" })).body.rows;
    expect(explained).toMatchObject([{ server: "", hostname: "Backup", subject, state: "live", result: true }]);
    expect(explained[0].readings).toEqual([
      { path: "expect.overdue_sec", value: expect.any(Number) },
      { path: "expect.late_start_sec", value: 0 },
    ]);
    const why = async () =>
      (await admin.post("explain_notice", { invocation: rows[0].id, receiver: "team", timezone: "UTC" })).body.rows;
    for (let turn = 0; turn < 100 && (await why())[0].verdict === "none"; turn++) {
      await at.clock.advance(1);
      await pause(5);
    }
    expect((await why())[0].title).toBe("Team");

    const id = await at.launch();
    await at.end(id);
    expect((await admin.post("get_job", { id })).body.job).not.toHaveProperty("expect");
    await at.minute();
    await at.becomes(["event_overdue over"]);
    await at.minute();
    await at.becomes(["event_overdue over"]);
  });

  test("runs that take too long, and too many failures, are reported", async () => {
    const at = await setUp(name, { finish_within: "20 seconds", max_failures: 1, failures_per: "1 hour" });
    const slow = await at.launch();
    await at.minute();
    await at.becomes(["event_slow live"]);
    await at.end(slow, 1);
    await at.minute();
    await at.minute();
    await at.becomes(["event_slow over"]);
    await at.end(await at.launch(), 2);
    await at.minute();
    await at.becomes(["event_slow over", "event_failing live"]);
    const tried = await at.admin.post("test_alert", {
      ...{ event: "backup", expression: "expect.failures > 1", message: "{{expect.failures}} of {{event.title}}" },
    });
    expect(tried.body).toMatchObject({ result: true, message: "2 of Backup" });
    const past = await at.admin.post("backtest_alert", { alert: "event_failing", event: "backup" });
    expect(past.body).toMatchObject({ servers: 1, unknown_paths: [], truncated: false });
    expect(past.body.invocations).toMatchObject([{ server: "", event: "backup", message: expect.any(String) }]);
  });

  test("a disabled expectation ends, and counts from zero when it is enabled again", async () => {
    const at = await setUp(name, { success_every: 60, grace: 0 });
    for (let count = 0; count < 3; count++) await at.minute();
    await at.becomes(["event_overdue live"]);
    await at.admin.post("update_event", { id: "backup", enabled: false });
    await at.minute();
    await at.becomes(["event_overdue over"]);
    await at.admin.post("update_event", { id: "backup", enabled: true });
    await at.minute();
    await at.becomes(["event_overdue over"]);
    await at.minute();
    await at.becomes(["event_overdue over", "event_overdue live"]);
    const { body } = await at.admin.post("update_event", { id: "backup", expect: null });
    expect(body.event).not.toHaveProperty("expect");
    await at.minute();
    await at.becomes(["event_overdue over", "event_overdue over"]);
  });

  test("a silence that names the event holds it back, and is hidden from other callers", async () => {
    const at = await setUp(name, { success_every: 60, grace: 0 });
    await at.admin.post("create_silence", { id: "move", title: "Move", events: ["backup"], end: 4_000_000_000 });
    for (let count = 0; count < 3; count++) await at.minute();
    await at.becomes(["event_overdue live"]);
    const { rows } = (await at.admin.post("explain_alert", { alert: "event_overdue", event: "backup" })).body;
    expect(rows).toMatchObject([{ state: "live", silenced_by: { kind: "silence", id: "move" } }]);

    await at.admin.post("create_category", { id: "web", title: "Web" });
    const privileges = { silence_alerts: true };
    const { body: key } = await at.admin.post("create_api_key", {
      ...{ title: "Web", privileges, categories: ["web"], groups: [] },
    });
    const headers = { "x-api-key": key.plain_key, "content-type": "application/json" };
    const as = async (operation: string, input: object) => {
      const init = { method: "POST", headers, body: JSON.stringify(input) };
      return (await at.send(`/api/app/${operation}/v1`, init)).body;
    };
    expect((await as("get_silences", {})).rows).toEqual([]);
    const named = { title: "Mine", events: ["backup"], end: 4_000_000_000 };
    expect(await as("create_silence", named)).toMatchObject({
      description: expect.stringContaining("category ID general"),
    });
  });

  test("callers of other categories see nothing of it", async () => {
    const at = await setUp(name, { success_every: 60, grace: 0 });
    for (let count = 0; count < 3; count++) await at.minute();
    await at.becomes(["event_overdue live"]);
    const { rows } = (await at.admin.post("search_alerts", { query: "event:backup", limit: 5 })).body;
    const create = { title: "Web", privileges: {}, categories: ["web"], groups: [] };
    await at.admin.post("create_category", { id: "web", title: "Web" });
    const { body: key } = await at.admin.post("create_api_key", create);
    const { body: own } = await at.admin.post("create_api_key", { ...create, categories: ["general"] });
    const as = (token: string) => async (operation: string, input: object) => {
      const headers = { "x-api-key": token, "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(input) };
      return (await at.send(`/api/app/${operation}/v1`, init)).body;
    };
    const stranger = as(key.plain_key);
    const insider = as(own.plain_key);
    expect((await stranger("search_alerts", { query: "event:backup" })).rows).toEqual([]);
    expect((await insider("search_alerts", { query: "event:backup" })).rows).toHaveLength(1);
    expect((await stranger("get_alert_invocations", { ids: [rows[0].id] })).alerts[0]).toHaveProperty("err");
    expect((await insider("get_alert_invocations", { ids: [rows[0].id] })).alerts[0]).toMatchObject({ id: rows[0].id });
    expect((await stranger("explain_alert", { alert: "event_overdue" })).rows).toEqual([]);
    expect((await insider("explain_alert", { alert: "event_overdue" })).rows).toHaveLength(1);
    expect(await stranger("explain_alert", { alert: "event_overdue", event: "backup" })).toMatchObject({
      description: expect.stringContaining("category ID general"),
    });
    expect(await stranger("explain_notice", { invocation: rows[0].id })).toMatchObject({
      description: expect.stringContaining("category ID general"),
    });
  });
});

test("a scheduled run that does not start is late, by the event's severity, until the next one starts", async () => {
  const at = await setUp("memory", { start_within: "1 minute", grace: 0, severity: "critical" });
  const minutes = Array.from({ length: 12 }, (_each, index) => index * 5);
  await at.admin.post("update_event", { id: "backup", triggers: [{ type: "schedule", enabled: true, minutes }] });
  await at.admin.post("update_global_state", { scheduler: { enabled: false } });
  for (let count = 0; count < 8; count++) await at.minute();
  await at.becomes(["event_overdue live"]);
  const { rows } = (await at.admin.post("search_alerts", { query: "event:backup", limit: 5 })).body;
  expect(rows[0]).toMatchObject({ severity: "critical", message: expect.stringMatching(/^No start in time: \d+ s/) });
  await at.admin.post("update_global_state", { scheduler: { enabled: true } });
  for (let count = 0; count < 6; count++) await at.minute();
  await at.becomes(["event_overdue over"]);
});

test.each([
  [{ success_every: "often" }, "Invalid value for expect.success_every"],
  [{ max_failures: 1, start_within: 0 }, "Invalid value for expect.start_within"],
  [{ grace: 5 }, "expect needs at least one of success_every, start_within, finish_within, max_failures."],
])("%j is refused", async (expected, description) => {
  const { saved } = await setUp("memory", expected);
  expect(saved).toMatchObject({ code: "event", description });
});
