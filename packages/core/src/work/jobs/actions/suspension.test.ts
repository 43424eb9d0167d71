import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { unlessAborted } from "../../../lib/turns/unless-aborted.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Mailer } from "../../../ports/outside/mailer.ts";
import type { WebHookClient } from "../../../ports/outside/web-hook-client.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { commands, type JobsOptions, launched, startJobs, type TestJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
const suspend = (condition: string, members: Members = {}) => ({
  enabled: true,
  type: "suspend",
  condition,
  ...members,
});
const done = (members: Members = {}) => ({ state: "complete", complete: true, code: 0, ...members });

function counting() {
  const bodies: unknown[] = [];
  const webHooks: WebHookClient = {
    async send(request) {
      bodies.push(request.body);
      return { status: 200, statusText: "OK", headers: {}, body: "", elapsedMs: 1 };
    },
  };
  return { bodies, webHooks };
}

async function setUp(actions: Members[], event: Members = {}, options: JobsOptions = {}) {
  const jobs = await startJobs(options);
  const { api } = jobs.signalbox;
  await api.createWebHook({ id: "chat", title: "Chat", url: "https://chat.example.com/", method: "POST" } as never);
  const server = await jobs.connect();
  const { id } = await api.runEvent({ id: await jobs.event({ actions, ...event }) });
  await jobs.settle();
  return { ...jobs, api, id, server, read: async (of = id) => (await api.getJob({ id: of })).job };
}

/** A suspended job whose web hook answers when the test lets it. */
async function held(actions: Members[]) {
  const told = Promise.withResolvers<void>();
  const answer = { status: 200, statusText: "OK", headers: {}, body: "", elapsedMs: 1 };
  const at = await setUp(actions, {}, { webHooks: { send: () => told.promise.then(() => answer) } });
  const tell = async (): Promise<void> => {
    told.resolve();
    await at.settle();
  };
  return { at, tell };
}

async function restart(jobs: TestJobs, options: JobsOptions = {}): Promise<TestJobs> {
  jobs.crash();
  const { blobs, storage, clock } = jobs;
  return startJobs({ blobs, storage, clock: fakeClock(clock.now() + 1), ...options });
}

describe("a job that is suspended at its start", () => {
  test("is reported by one mail, also when the engine stops during a slow delivery", async () => {
    const subjects: string[] = [];
    const { promise: answer, resolve: release } = Promise.withResolvers<void>();
    const mailer: Mailer = {
      send({ subject }, signal) {
        subjects.push(subject);
        return unlessAborted(answer, signal);
      },
    };
    const clock = fakeClock();
    const storage = { ...memoryStorage({ clock }), close: async () => undefined };
    const options = { storage, mailer, config: { email_from: "signalbox@example.com" } };
    const at = await setUp([suspend("start", { email: "ops@example.com" })], {}, { ...options, clock });
    const stopped = at.signalbox.stop();
    // By then, all work has received the stop signal.
    await new Promise((resolve) => setTimeout(resolve, 100));
    release();
    await stopped;
    const again = await startJobs({ ...options, clock: fakeClock(clock.now() + 1) });
    await again.clock.advance(60);
    expect(subjects).toEqual(["Signalbox: Backup waits for approval"]);
  });

  test("is not sent, holds its slot, and continues when a user resumes it", async () => {
    const limits = [
      { enabled: true, type: "job", amount: 1 },
      { enabled: true, type: "queue", amount: 5 },
    ];
    const at = await setUp([suspend("start")], { limits });
    const event = String((await at.read())["event"]);
    const { id: second } = await at.api.runEvent({ id: event });
    await at.clock.advance(90);
    expect(launched(at.server)).toEqual([]);
    expect(await at.read()).toMatchObject({ state: "starting", suspended: true });
    expect(await at.read(second)).toMatchObject({ state: "queued" });
    await at.signalbox.as(keyWith(["run_jobs"])).resumeJob({ id: at.id });
    await at.settle();
    expect(launched(at.server)).toMatchObject([{ job: { id: at.id } }]);
    const job = await at.read();
    expect(job).not.toHaveProperty("suspended");
    const [action] = job["actions"] as Members[];
    expect(action).toMatchObject({ code: 0, details: expect.stringContaining("Resumed by API Key:") });
    expect(action).not.toHaveProperty("active");
  });

  test("takes parameters from the user who resumes it, and chooses its server again", async () => {
    const at = await setUp([suspend("start")]);
    await at.connect({ hostname: "db01.example.internal", id: "s2", initial: { groups: ["db"] } });
    await at.api.resumeJob({ id: at.id, params: { colour: "red", _xy_override_targets: "s2" } });
    await at.settle();
    expect(await at.read()).toMatchObject({
      state: "active",
      server: "s2",
      params: { script: "echo hello", colour: "red" },
    });
  });

  test("stays suspended over a restart, and its hook is not sent again", async () => {
    const { bodies, webHooks } = counting();
    const at = await setUp([suspend("start", { web_hook: "chat" })], {}, { webHooks });
    expect(bodies).toHaveLength(1);
    const again = await restart(at, { webHooks });
    const server = await again.connect();
    await again.clock.advance(90);
    expect((await again.signalbox.api.getJob({ id: at.id })).job).toMatchObject({ state: "starting", suspended: true });
    expect(bodies).toHaveLength(1);
    await again.signalbox.api.resumeJob({ id: at.id });
    await again.settle();
    expect(launched(server)).toMatchObject([{ job: { id: at.id } }]);
  });

  test("is reported once after a restart when the engine ended before the notice", async () => {
    const silent = { send: () => new Promise<never>(() => undefined) };
    const at = await setUp([suspend("start", { web_hook: "chat" })], {}, { webHooks: silent });
    const { bodies, webHooks } = counting();
    const again = await restart(at, { webHooks });
    await again.clock.advance(90);
    expect(bodies).toHaveLength(1);
    const { job } = await again.signalbox.api.getJob({ id: at.id });
    expect(job).toMatchObject({
      suspended: true,
      actions: [{ code: 0, details: expect.stringMatching(/### web_hook/) }],
    });
  });

  test("continues at once when it is resumed while other notices are still being sent", async () => {
    const { at, tell } = await held([suspend("start", { web_hook: "chat" })]);
    expect(await at.read()).toMatchObject({ suspended: true, actions: [{ active: true, code: 0 }] });
    await at.api.resumeJob({ id: at.id });
    await at.settle();
    expect(launched(at.server)).toMatchObject([{ job: { id: at.id } }]);
    await tell();
    const [action] = (await at.read())["actions"] as Members[];
    expect(action).toMatchObject({ code: 0, description: "Job was suspended." });
    expect(action?.["details"]).toMatch(/### web_hook.+Resumed by/s);
    expect(action).not.toHaveProperty("active");
  });

  test("has the results of its notices in its final record when it ends before they are sent", async () => {
    const { at, tell } = await held([suspend("start", { web_hook: "chat" })]);
    await at.api.abortJob({ id: at.id });
    await at.settle();
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
    await tell();
    const [action] = (await at.read())["actions"] as Members[];
    expect(action?.["details"]).toMatch(/### web_hook/);
  });

  test("ends when a user aborts it, without ever being sent", async () => {
    const at = await setUp([suspend("start")]);
    await at.api.abortJob({ id: at.id });
    await at.settle();
    const job = await at.read();
    expect(job).toMatchObject({ code: "abort", final: true });
    expect(job).not.toHaveProperty("suspended");
    expect(launched(at.server)).toEqual([]);
    expect(commands(at.server, "abort_job")).toEqual([]);
  });

  test("is checked by no limit", async () => {
    const at = await setUp([suspend("start")], { limits: [{ enabled: true, type: "time", duration: 5, abort: true }] });
    await at.clock.advance(300);
    expect(await at.read()).toMatchObject({ state: "starting", suspended: true });
  });

  test("is suspended only if it has one of the sources that the action names", async () => {
    const at = await setUp([suspend("start", { sources: ["scheduler"] })]);
    expect(await at.read()).toMatchObject({ state: "active" });
    expect(((await at.read())["actions"] as Members[])[0]).toMatchObject({ code: 0 });
  });
});

describe("a job that is suspended at its end", () => {
  test("keeps its server and is final once it is resumed; start and end are two suspensions", async () => {
    const at = await setUp([suspend("start"), suspend("success")]);
    await at.api.resumeJob({ id: at.id });
    await at.settle();
    at.server.send("jobs", { [at.id]: done() });
    await at.clock.advance(5);
    expect(await at.read()).toMatchObject({ state: "complete", suspended: true, server: "s1" });
    expect(await at.read()).not.toHaveProperty("final");
    await at.api.resumeJob({ id: at.id });
    await at.settle();
    expect(await at.read()).toMatchObject({ final: true, code: 0, server: "s1" });
  });

  test("leaves a record of its failure, whatever the resuming user sends", async () => {
    const at = await setUp([suspend("error")]);
    at.server.send("jobs", { [at.id]: done({ code: 5 }) });
    await at.settle();
    await at.api.resumeJob({ id: at.id, params: { _xy_override_ephemeral: true, _xy_override_label: "seen" } });
    await at.settle();
    expect(await at.read()).toMatchObject({ final: true, code: 5, label: "seen" });
  });

  test("ends with code abort when it is aborted, although its success actions ran", async () => {
    const at = await setUp([suspend("success"), { enabled: true, type: "label", condition: "success", label: "ran" }]);
    at.server.send("jobs", { [at.id]: done() });
    await at.settle();
    await at.api.abortJob({ id: at.id });
    await at.settle();
    expect(await at.read()).toMatchObject({ final: true, code: "abort", label: "ran" });
  });
});

describe("resume_job", () => {
  test("refuses jobs that are not suspended or unknown, and unknown nodes", async () => {
    const at = await setUp([]);
    const refused = (input: Members) => refusalOf(at.api.resumeJob(input as never));
    expect(await refused({ id: "none" })).toEqual({
      code: "job",
      description: "Job not found or is no longer active: none",
    });
    expect(await refused({ id: at.id })).toEqual({
      code: "job",
      description: `Job is not currently suspended: ${at.id}`,
    });
    const held = await setUp([suspend("start")]);
    expect(await refusalOf(held.api.resumeJob({ id: held.id, redirect: "n1" }))).toEqual({
      code: "job",
      description: "Workflow node not found: n1",
    });
    await held.api.updateJob({ id: held.id, actions: [] });
    expect(await refusalOf(held.api.resumeJob({ id: held.id }))).toEqual({
      code: "job",
      description: `Cannot locate active suspend action in job: ${held.id}`,
    });
  });

  test("lets only administrators set values of locked parameters", async () => {
    const field = { id: "day", title: "Day", type: "text", locked: true, value: "monday" };
    const at = await setUp([suspend("start")], { fields: [field, { ...field, id: "note", locked: false }] });
    const params = { script: "rm -rf /", day: "sunday", note: "late", annotate: true };
    await at.signalbox.as(keyWith(["run_jobs"])).resumeJob({ id: at.id, params });
    await at.settle();
    const [sent] = launched(at.server);
    const kept = { script: "echo hello", day: "monday", note: "late", annotate: true };
    expect(sent?.job).toMatchObject({ params: kept });
    const told = ((await at.read())["activity"] as { msg: string }[]).filter(({ msg }) => msg.startsWith("WARNING"));
    expect(told.map(({ msg }) => msg)).toEqual(
      ["script", "day"].map((name) => `WARNING: Ignoring locked parameter: ${name}`),
    );
    const other = await setUp([suspend("start")]);
    await other.api.resumeJob({ id: other.id, params: { script: "echo bye" } });
    await other.settle();
    expect(launched(other.server)[0]?.job).toMatchObject({ params: { script: "echo bye" } });
  });

  test("checks category, targets and the targets that parameters name", async () => {
    const at = await setUp([suspend("start")]);
    const as = (limits: Members) => at.signalbox.as(keyWith(["run_jobs"], limits));
    const params = { _xy_override_targets: "db" };
    expect((await refusalOf(as({ categories: ["other"] }).resumeJob({ id: at.id }))).code).toBe("access");
    expect((await refusalOf(as({ groups: ["web"] }).resumeJob({ id: at.id }))).code).toBe("access");
    expect((await refusalOf(as({ groups: ["main"] }).resumeJob({ id: at.id, params }))).code).toBe("access");
  });
});
