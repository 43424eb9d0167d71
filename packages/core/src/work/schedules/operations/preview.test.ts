import { describe, expect, test } from "vitest";
import { keyWith, refusalOf, START } from "../../../../test/engine.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { startJobs } from "../../../testing/test-jobs.ts";

const setUp = (config: Record<string, unknown> = {}) =>
  startJobs({ clock: fakeClock(START + 30), config: { tz: "UTC", ...config } });
const everyMinute = { type: "schedule", enabled: true };

describe("preview_event", () => {
  test("lists the next runs of an event with their trigger", async () => {
    const at = await setUp();
    const triggers = [
      { type: "manual", enabled: true },
      { type: "schedule", enabled: true, minutes: [0], timezone: "Europe/Berlin" },
      { type: "delay", enabled: true, duration: 90 },
    ];
    const id = await at.event({ triggers });
    const answer = await at.signalbox.api.previewEvent({ id, limit: 2 });
    expect(answer.rows).toEqual([
      { epoch: START + 3600, start: START + 3690, date: "2027-01-15T09:00:00.000Z", trigger: 1, type: "schedule" },
      { epoch: START + 7200, start: START + 7290, date: "2027-01-15T10:00:00.000Z", trigger: 1, type: "schedule" },
    ]);
    expect(answer).toMatchObject({ list: { length: 2 }, conditional: false, reasons: [], until: START + 7200 });
    await at.signalbox.stop();
  });

  test("tries triggers that are not stored, and refuses malformed ones like an event", async () => {
    const at = await setUp();
    const { rows } = await at.signalbox.api.previewEvent({ triggers: [everyMinute], limit: 1, from: START } as never);
    expect(rows).toMatchObject([{ epoch: START, trigger: 0 }]);
    expect(await refusalOf(at.signalbox.api.previewEvent({ triggers: [{ type: "yearly" }] } as never))).toEqual({
      code: "api",
      description: "Malformed trigger entry #1: Unknown type",
    });
    expect(await refusalOf(at.signalbox.api.previewEvent({}))).toEqual({
      code: "api",
      description: "Missing parameter: id",
    });
    expect((await refusalOf(at.signalbox.api.previewEvent({ triggers: [], limit: 101 }))).code).toBe("api");
    await at.signalbox.stop();
  });

  test("needs the privilege to edit events", async () => {
    const at = await setUp();
    const weak = at.signalbox.as(keyWith([]));
    expect(await refusalOf(weak.previewEvent({ triggers: [everyMinute] } as never))).toEqual({
      code: "access",
      description: "You do not have the 'Edit Events' privilege required to perform this action.",
    });
    await at.signalbox.stop();
  });

  test("ends soon where a hundred triggers are years away, and says how far it looked", async () => {
    const at = await setUp();
    const triggers = Array.from({ length: 100 }, () => ({ ...everyMinute, years: [2200], timezone: "Europe/Berlin" }));
    const before = process.cpuUsage();
    const { rows, until } = await at.signalbox.api.previewEvent({ triggers, from: START } as never);
    const { user, system } = process.cpuUsage(before);
    expect(rows).toEqual([]);
    expect(until - START).toBeGreaterThan(60 * 86_400);
    // An earlier implementation took 8.9 s of processor time.
    expect(user + system).toBeLessThan(2_000_000);
    await at.signalbox.stop();
  });

  test("gives up when the caller has disconnected", async () => {
    const at = await setUp();
    const gone = new AbortController();
    const triggers = Array.from({ length: 100 }, () => ({ ...everyMinute, years: [2200] }));
    const call = at.signalbox.execute({
      operation: "preview_event",
      input: { triggers },
      actor: keyWith(["edit_events"]),
      signal: gone.signal,
    });
    gone.abort();
    expect((await refusalOf(call)).description).toBe("The caller has gone.");
    await at.signalbox.stop();
  });

  test("says why nothing starts at present", async () => {
    const at = await setUp();
    const id = await at.event({ triggers: [everyMinute], enabled: false });
    const { rows, reasons } = await at.signalbox.api.previewEvent({ id, limit: 1 });
    expect(rows).toHaveLength(1);
    expect(reasons).toEqual([{ code: "event_disabled", description: "The event is disabled." }]);
    await at.signalbox.stop();
  });

  test("uses the setting for clock changes", async () => {
    const at = await setUp({ scheduler_dst: "wall" });
    const triggers = [{ type: "schedule", enabled: true, hours: [2], minutes: [30], timezone: "Europe/Berlin" }];
    const { rows } = await at.signalbox.api.previewEvent({
      triggers,
      limit: 3,
      from: Date.parse("2026-10-24T12:00Z") / 1000,
    } as never);
    expect(rows.map(({ date }) => date.slice(0, 16))).toEqual([
      "2026-10-25T00:30",
      "2026-10-25T01:30",
      "2026-10-26T01:30",
    ]);
    await at.signalbox.stop();
  });

  test("needs access to the event", async () => {
    const at = await setUp();
    const id = await at.event({ triggers: [everyMinute] });
    const other = at.signalbox.as(keyWith(["edit_events"], { categories: ["other"] }));
    const refusal = {
      code: "access",
      description: "You do not have the required account privileges to access category ID general.",
    };
    expect(await refusalOf(other.previewEvent({ id }))).toEqual(refusal);
    expect(await refusalOf(other.explainEventRun({ id, minute: START }))).toEqual(refusal);
    expect(await refusalOf(at.signalbox.api.previewEvent({ id: "nope" }))).toEqual({
      code: "notfound",
      description: "Failed to locate event: nope",
    });
    await at.signalbox.stop();
  });
});

describe("explain_event_run", () => {
  test("names the job that a minute launched, and the one that waits for its start", async () => {
    const at = await setUp();
    await at.connect();
    const id = await at.event({ triggers: [everyMinute] });
    const late = await at.event({
      title: "Late",
      triggers: [everyMinute, { type: "delay", enabled: true, duration: 600 }],
    });
    await at.clock.advance(40);
    const explain = (event: string) => at.signalbox.api.explainEventRun({ id: event, minute: START + 65 });
    const ran = await explain(id);
    expect(ran).toMatchObject({
      minute: START + 60,
      verdict: "ran",
      due: true,
      jobs: [{ state: "active", now: START + 60 }],
    });
    expect(ran.reasons).toEqual([{ code: "already_ran", description: `The minute made job ${ran.jobs[0]?.id}.` }]);
    const waiting = await explain(late);
    expect(waiting).toMatchObject({ verdict: "waiting", jobs: [{ state: "start_delay", until: START + 660 }] });
    expect(waiting.reasons.map(({ code }) => code)).toEqual(["already_ran", "delayed"]);
    await at.signalbox.stop();
  });

  test("hides a job that the caller may not read, as from before the event changed category", async () => {
    const at = await setUp();
    await at.connect();
    const id = await at.event({ triggers: [everyMinute] });
    await at.clock.advance(40);
    await at.signalbox.api.createCategory({ id: "mine", title: "Mine" });
    await at.signalbox.api.updateEvent({ id, category: "mine" });
    const limited = at.signalbox.as(keyWith([], { categories: ["mine"] }));
    const told = await limited.explainEventRun({ id, minute: START + 65 });
    expect(told).toMatchObject({ verdict: "ran", jobs: [], reasons: [{ code: "job_deleted" }] });
    await at.signalbox.stop();
  });

  test("says whether a coming minute is due, and why it is held", async () => {
    const at = await setUp();
    const id = await at.event({ triggers: [{ ...everyMinute, minutes: [30] }] });
    const explain = (minute: number) => at.signalbox.api.explainEventRun({ id, minute: START + minute * 60 });
    expect(await explain(30)).toMatchObject({ verdict: "due", reasons: [] });
    expect(await explain(31)).toMatchObject({ verdict: "not_due", reasons: [{ code: "not_due", trigger: 0 }] });
    await at.signalbox.api.updateCategory({ id: "general", enabled: false });
    expect(await explain(30)).toMatchObject({ verdict: "held", reasons: [{ code: "category_disabled" }] });
    await at.signalbox.stop();
  });

  test("says why a due minute launched no job: the disabled event, and every-nth", async () => {
    const at = await setUp();
    await at.connect();
    const id = await at.event({ triggers: [everyMinute] });
    const third = await at.event({ title: "Third", triggers: [everyMinute, { type: "nth", enabled: true, every: 3 }] });
    const explain = (event: string, minute: number) =>
      at.signalbox.api.explainEventRun({ id: event, minute: START + minute * 60 });
    const switchTo = (isOn: boolean) => at.signalbox.api.updateGlobalState({ "scheduler.enabled": isOn } as never);
    await at.clock.advance(120);
    expect(await explain(third, 1)).toMatchObject({ verdict: "ran" });
    expect(await explain(third, 2)).toMatchObject({ verdict: "not_run", reasons: [{ code: "nth" }] });
    await switchTo(false);
    await at.clock.advance(60);
    await switchTo(true);
    await at.clock.advance(60);
    expect(await explain(id, 3)).toMatchObject({ verdict: "not_run", reasons: [{ code: "scheduler_was_disabled" }] });
    await at.signalbox.stop();
  });

  test("gives the message of a launch that was refused", async () => {
    const queue = [{ type: "queue", enabled: true, amount: 5 }];
    const at = await setUp({ job_universal_limits: { default: queue, workflow: [] } });
    const id = await at.event({ triggers: [everyMinute] });
    await at.clock.advance(120);
    const { verdict, reasons } = await at.signalbox.api.explainEventRun({ id, minute: START + 60 });
    expect(verdict).toBe("not_run");
    expect(reasons[0]).toEqual({
      code: "launch_refused",
      description:
        "Failed to launch scheduled event: Backup: The 'Max Queue Limit' requires a 'Max Concurrent Jobs' limit to also be present.",
    });
    await at.signalbox.stop();
  });
});
