import { describe, expect, test } from "vitest";
import { keepingMailer } from "../../../../test/scripted/keeping-mailer.ts";
import type { ActionRun } from "../../../kernel/plugins/action-type.ts";
import { definePlugin } from "../../../kernel/plugins/plugin.ts";
import { silentLogger } from "../../../ports/logger.ts";
import { launched, startJobs, type TestJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
const label = (condition: string, text = condition) => ({ enabled: true, condition, type: "label", label: text });

async function end(jobs: TestJobs, actions: Members[], update: Members) {
  const server = await jobs.connect();
  const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event({ actions }) });
  await jobs.settle();
  server.send("jobs", { [id]: { state: "complete", complete: true, ...update } });
  await jobs.settle();
  return (await jobs.signalbox.api.getJob({ id })).job;
}

const toldByMail = { enabled: true, condition: "complete", type: "email", email: "ops@example.com" };
const mails = { email_from: "signalbox@example.com", base_app_url: "https://ops.example.com" };

test("a mail about a workflow, which has no server, names the host of the node", async () => {
  const { mailer, sent } = keepingMailer();
  const { settle, signalbox } = await startJobs({ mailer, config: mails });
  const nodes = [
    { id: "start", type: "trigger", x: 0, y: 0, data: {} },
    { id: "name", type: "action", x: 0, y: 0, data: { enabled: true, type: "label", label: "Named" } },
  ];
  const { event } = await signalbox.api.createEvent({
    ...{ title: "Flow", enabled: true, type: "workflow", category: "general", actions: [toldByMail] },
    triggers: [{ id: "start", type: "manual", enabled: true }],
    workflow: { nodes, connections: [{ id: "c1", source: "start", dest: "name" }] },
  } as never);
  await signalbox.api.runEvent({ id: event.id });
  await settle();
  expect(sent.map(({ text }) => text)).toEqual([expect.stringContaining("succeeded on ops.example.com.")]);
});

test("an action interrupted by a stop is no error: the next start runs it again", async () => {
  const errors: string[] = [];
  const log = { ...silentLogger, error: (_fields: unknown, text: string) => void errors.push(text) };
  const send = () => Promise.reject(Object.assign(new Error("Not now"), { temporary: true }));
  const jobs = await startJobs({ log, mailer: { send }, config: mails });
  expect(await end(jobs, [toldByMail], { code: 0 })).not.toHaveProperty("final");
  const stopped = jobs.signalbox.stop();
  await jobs.clock.advance(10);
  await stopped;
  expect(errors).toEqual([]);
});

/** See docs/contract/actions.md#edge-cases. */
describe("conditions at the end of a job", () => {
  test.each<[unknown, string[]]>([
    [0, ["complete", "success"]],
    [5, ["complete", "error", "user"]],
    ["warning", ["complete", "error", "warning"]],
    ["critical", ["complete", "error", "critical"]],
    ["abort", ["complete", "error", "abort"]],
  ])("with the code %j are %j: an error is also a warning and an abort", async (code, expected) => {
    const conditions = ["complete", "success", "error", "user", "warning", "critical", "abort", "start"];
    const tags = conditions.map((condition) => ({ enabled: true, condition, type: "tag", tags: [condition] }));
    const jobs = await startJobs();
    const job = await end(jobs, tags, { code });
    const ran = (job["actions"] as Members[]).filter((action) => "code" in action).map(({ condition }) => condition);
    expect(ran.toSorted()).toEqual([...expected, "start"].toSorted());
    await jobs.signalbox.stop();
  });

  test("run a target once that several conditions name, under the first: complete comes before error", async () => {
    const jobs = await startJobs();
    const job = await end(jobs, [label("error"), label("complete")], { code: 1 });
    expect(job["label"]).toBe("complete");
    expect((job["actions"] as Members[]).map((action) => "code" in action)).toEqual([false, true]);
    await jobs.signalbox.stop();
  });

  test("of an undefined tag are an error on the action and change nothing else", async () => {
    const jobs = await startJobs();
    const job = await end(jobs, [label("tag:gone")], { code: 0 });
    expect(job).toMatchObject({ code: 0, actions: [{ code: "tag", description: "Unknown tag: gone" }] });
    expect(job).not.toHaveProperty("label");
    await jobs.signalbox.stop();
  });

  test("do not include tags that an action of the same end adds", async () => {
    const jobs = await startJobs();
    for (const id of ["one", "two"]) await jobs.signalbox.api.createTag({ id, title: id });
    const adding = { enabled: true, condition: "complete", type: "tag", tags: ["two"] };
    const job = await end(jobs, [adding, label("tag:two")], { code: 0 });
    expect(job["tags"]).toContain("two");
    expect(job).not.toHaveProperty("label");
    await jobs.signalbox.stop();
  });

  test("of alerts never become true for a job", async () => {
    const jobs = await startJobs();
    const job = await end(jobs, [label("alert_new"), label("alert_cleared")], { code: 1 });
    expect(job).not.toHaveProperty("label");
    await jobs.signalbox.stop();
  });
});

describe("actions at the start of a job", () => {
  test("do not stop it when they fail", async () => {
    const jobs = await startJobs();
    const fetch = { enabled: true, condition: "start", type: "fetch", bucket_id: "b1", bucket_sync: "data" };
    const job = await end(jobs, [fetch], { code: 0 });
    expect(job).toMatchObject({
      code: 0,
      final: true,
      actions: [{ code: "bucket", description: "Bucket not found: b1" }],
    });
    await jobs.signalbox.stop();
  });

  test("may abort it, once all of them have ended", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const noted: string[] = [];
    const plugin = definePlugin({
      id: "steps",
      actionTypes: {
        abort: {
          applies: ["job"],
          target: () => "",
          async run({ data }: ActionRun, { jobs: engine }) {
            const { id } = data["job"] as { id: string };
            await engine.monitor.abort(id, { reason: "Not today", retryOk: false });
            return { code: 0, description: "Aborted" };
          },
        },
        slow: {
          applies: ["job"],
          target: () => "",
          async run() {
            await gate;
            noted.push("slow");
            return { code: 0, description: "Done" };
          },
        },
      },
    });
    const start = (type: string) => ({ enabled: true, condition: "start", type });
    const jobs = await startJobs({
      plugins: [plugin],
      config: { job_universal_actions: { default: [start("abort"), start("slow")] as never } },
    });
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    expect((await jobs.signalbox.api.getJob({ id })).job["final"]).toBeUndefined();
    release();
    await jobs.settle();
    const { job } = await jobs.signalbox.api.getJob({ id });
    expect(job).toMatchObject({
      code: "abort",
      description: "Not today",
      final: true,
      actions: [{ code: 0 }, { code: 0 }],
    });
    expect(noted).toEqual(["slow"]);
    expect(launched(server)).toEqual([]);
    await jobs.signalbox.stop();
  });

  test("run once: a retry does not repeat the ones that ran", async () => {
    const jobs = await startJobs();
    const server = await jobs.connect();
    const limits = [{ enabled: true, type: "retry", amount: 1 }];
    const tag = { enabled: true, condition: "start", type: "tag", tags: ["begun"] };
    await jobs.signalbox.api.runEvent({ id: await jobs.event({ limits, actions: [tag, label("complete", "end")] }) });
    await jobs.settle();
    const first = String(launched(server)[0]?.job["id"]);
    server.send("jobs", { [first]: { state: "complete", complete: true, code: 1 } });
    await jobs.settle();
    const [, second] = launched(server);
    const [begun, ended] = (second?.job["actions"] ?? []) as Members[];
    expect(begun).toMatchObject({ code: 0, date: expect.any(Number) });
    expect(ended).not.toHaveProperty("code");
    // The actions of the end do not run for an attempt that is retried.
    expect((await jobs.signalbox.api.getJob({ id: first })).job).not.toHaveProperty("label");
    await jobs.signalbox.stop();
  });
});
