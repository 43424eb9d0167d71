import { afterEach, describe, expect, test } from "vitest";
import { activity, hot, invocations } from "../../../test/fleet/alert-setup.ts";
import { scriptedProcesses } from "../../../test/scripted/scripted-processes.ts";
import type { Mail } from "../../ports/outside/mailer.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";
import { type JobsOptions, launched, startJobs, type TestJobs } from "../../testing/test-jobs.ts";

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

/** An engine with real jobs and real actions. */
async function setUp(options: JobsOptions = {}) {
  const jobs = await startJobs({ config: { alert_universal_actions: [] }, ...options });
  running.push(jobs);
  const minute = async (server: ScriptedServer, temp: number): Promise<void> => {
    await jobs.clock.advanceTo(Math.floor(jobs.clock.now() / 60) * 60 + 61);
    const stored = jobs.next("server.minute");
    server.send("monitor", { version: "1.0", date: jobs.clock.now(), data: { temp } });
    await stored;
    await jobs.settle(1);
  };
  return { ...jobs, minute, api: jobs.signalbox.api };
}

const onFiring = (type: string, members: Record<string, unknown> = {}) => ({
  enabled: true,
  condition: "alert_new",
  type,
  ...members,
});

test("types of jobs leave no result, a ticket is created, a snapshot is taken", async () => {
  const at = await setUp();
  const actions = [
    onFiring("ticket", { ticket_type: "issue", ticket_assignees: [], ticket_tags: [] }),
    onFiring("label", { label: "hot" }),
    onFiring("snapshot"),
  ];
  await at.api.createAlert({ ...hot, actions } as never);
  await at.minute(await at.connect(), 60);
  expect((await invocations(at))[0]?.actions).toMatchObject([
    { type: "ticket", code: 0, description: expect.stringMatching(/^Successfully created ticket: #1 /) },
    { type: "snapshot", code: 0, description: expect.stringMatching(/^Took snapshot /) },
  ]);
});

test("a mail about an alert says where, what and why, when it fires and when it is over", async () => {
  const sent: Mail[] = [];
  const at = await setUp({ mailer: { send: async (mail) => void sent.push(mail) } });
  const mail = onFiring("email", { users: ["nobody"], email: "ops@example.com, bad" });
  const message = "R&D is *hot*";
  await at.api.createAlert({ ...hot, message, actions: [mail, { ...mail, condition: "alert_cleared" }] } as never);
  const server = await at.connect();
  await at.minute(server, 60);
  const [fired] = await invocations(at);
  expect(fired?.actions).toMatchObject([{ code: 0, description: "Email sent successfully to: ops@example.com" }]);
  expect(sent[0]?.subject).toBe(`Signalbox: Alert on web01: ${hot.title}`);
  expect(sent[0]?.text).toContain(hot.expression);
  expect(sent[0]?.text).toContain(`View Alert: http://localhost:5522/#Alerts?id=${fired?.id}`);
  expect(sent[0]?.html).toContain("R&amp;D is *hot*");
  await at.minute(server, 40);
  await at.minute(server, 40);
  expect(sent.map(({ subject }) => subject)).toEqual([
    `Signalbox: Alert on web01: ${hot.title}`,
    `Signalbox: Alert over on web01: ${hot.title}`,
  ]);
  expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(2);
});

test("an action plugin gets the data of the alert without the configuration", async () => {
  const processes = scriptedProcesses(() => ({ stdout: '{"xy":1,"code":0,"description":"Paged"}' }));
  const at = await setUp({ processes: processes.runner });
  await at.api.createPlugin({ id: "page", title: "Page", type: "action", command: "/usr/bin/page" });
  await at.api.createAlert({
    ...hot,
    actions: [onFiring("plugin", { plugin_id: "page", params: { level: 1 } })],
  } as never);
  await at.minute(await at.connect(), 60);
  const line = JSON.parse(String(processes.started[0]?.stdin));
  expect(line).toMatchObject({
    xy: 1,
    type: "action",
    condition: "alert_new",
    params: { level: 1 },
    def: { id: hot.id },
  });
  expect(line).not.toHaveProperty("config");
  expect((await invocations(at))[0]?.actions).toMatchObject([{ code: 0, description: "Paged" }]);
});

test("a repetition takes a new snapshot and launches a new job", async () => {
  const at = await setUp();
  const event = await at.event();
  const actions = [onFiring("snapshot"), onFiring("run_event", { event_id: event })];
  await at.api.createAlert({ ...hot, actions, repeat_minutes: 1 } as never);
  const server = await at.connect();
  for (let count = 0; count < 3; count++) await at.minute(server, 60);
  const [invocation] = await invocations(at);
  const results = (invocation?.actions ?? []).map(({ type, round, code, loc }) => ({ type, round, code, loc }));
  expect(results.map(({ type, round, code }) => [type, round, code])).toEqual([
    ["snapshot", undefined, 0],
    ["run_event", undefined, 0],
    ["snapshot", 1, 0],
    ["run_event", 1, 0],
    ...(results.length > 4
      ? [
          ["snapshot", 2, 0],
          ["run_event", 2, 0],
        ]
      : []),
  ]);
  expect(new Set(results.map(({ loc }) => loc)).size).toBe(results.length);
});

describe("a job that clears the alert which launched it", () => {
  test.each([
    ["success", { code: 0 }],
    ["failure", { code: 1 }],
  ])("does so when it ends with %s, also for a server that is disconnected by then", async (_end, update) => {
    const at = await setUp();
    const repair = await at.connect({ id: "s2", hostname: "repair.example.internal" });
    const event = await at.event({ targets: ["s2"] });
    const cleared = {
      ...onFiring("run_event", { event_id: await at.event({ targets: ["s2"] }) }),
      condition: "alert_cleared",
    };
    await at.api.createAlert({
      ...hot,
      actions: [onFiring("run_event", { event_id: event, clear_alert: true }), cleared],
    } as never);
    const server = await at.connect();
    await at.minute(server, 60);
    const [job] = launched(repair);
    const id = String(job?.job["id"]);
    expect(job?.job).toMatchObject({ event, source: "alert" });
    server.close();
    repair.send("jobs", { [id]: { state: "complete", complete: true, ...update } });
    await at.settle(2);
    expect((await activity(at)).map(({ action }) => action)).toEqual(["alert_new", "alert_cleared"]);
    const [invocation] = await invocations(at);
    expect(invocation).toMatchObject({ active: false });
    // The alert's own actions ran, once each.
    expect(invocation?.actions?.map(({ condition, code }) => [condition, code])).toEqual([
      ["alert_new", 0],
      ["alert_cleared", 0],
    ]);
  });
});

test("a job of a silencing event silences its server; a caller cannot request it for another event", async () => {
  const at = await setUp();
  const server = await at.connect();
  const loud = await at.event();
  const quiet = await at.event({ silence_alerts: true });
  await at.api.createAlert({ ...hot, actions: [onFiring("snapshot")] } as never);
  await at.api.runEvent({ id: loud, silence_alerts: true });
  await at.settle(1);
  await at.minute(server, 60);
  await at.minute(server, 40);
  await at.api.runEvent({ id: quiet });
  await at.settle(1);
  await at.minute(server, 60);
  const [first, second] = await invocations(at);
  expect(first?.actions).toHaveLength(1);
  expect(first?.suppressed).toBeUndefined();
  expect(second?.actions).toBeUndefined();
  expect(second?.suppressed).toMatchObject([{ by: { kind: "job", title: quiet } }]);
  await expect(at.event({ silence_alerts: "yes" })).rejects.toThrow(
    "Malformed event parameter: silence_alerts (must be boolean)",
  );
});
