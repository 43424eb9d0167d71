import { describe, expect, test } from "vitest";
import type { Mail } from "../../../ports/outside/mailer.ts";
import type { WebHookClient } from "../../../ports/outside/web-hook-client.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { commands, type JobsOptions, startJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
const limit = (type: string, members: Members = {}) => ({ enabled: true, type, ...members });

async function setUp(limits: Members[], options: JobsOptions = {}) {
  const jobs = await startJobs(options);
  const { api } = jobs.signalbox;
  const { web_hook } = await api.createWebHook({
    title: "Chat",
    url: "https://chat.example.com/",
    method: "POST",
  } as never);
  const hook = typeof web_hook === "object" ? (web_hook as { id: string }).id : String(web_hook);
  const server = await jobs.connect();
  const named = limits.map((each) => (each["web_hook"] ? { ...each, web_hook: hook } : each));
  const { id } = await api.runEvent({ id: await jobs.event({ limits: named }) });
  await jobs.settle();
  return {
    ...jobs,
    api,
    id,
    server,
    read: async () => (await api.getJob({ id })).job,
    limits: async () => (await api.getJob({ id })).job["limits"] as Members[],
    aborts: () => commands(server, "abort_job").length,
    async report(members: Members = {}, seconds = 1) {
      server.send("jobs", { [id]: { state: "active", ...members } });
      await jobs.clock.advance(seconds);
    },
  };
}

/** An HTTP client that answers when the test lets it. */
function slowClient() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const bodies: (string | undefined)[] = [];
  const client: WebHookClient = {
    async send({ body }) {
      bodies.push(body);
      await promise;
      return { status: 200, statusText: "OK", headers: {}, body: "", elapsedMs: 1 };
    },
  };
  return { client, bodies, answer: resolve };
}

describe("runtime limits of a running job", () => {
  test("of one type all fire, each once: warn first, then abort", async () => {
    const at = await setUp([limit("time", { duration: 10 }), limit("time", { duration: 20, abort: true })]);
    await at.clock.advance(15);
    expect((await at.limits()).map((each) => "date" in each)).toEqual([true, false]);
    expect(at.aborts()).toBe(0);
    await at.clock.advance(15);
    expect((await at.limits()).map((each) => "date" in each)).toEqual([true, true]);
    expect(at.aborts()).toBe(1);
  });

  test("take effect when the job pushes them, and malformed ones are left out", async () => {
    const at = await setUp([]);
    await at.report({ push: { limits: [limit("time", { duration: 5, abort: true }), { type: "time" }, null] } });
    await at.clock.advance(8);
    expect(await at.limits()).toMatchObject([{ type: "time", source: "job", date: expect.any(Number) }]);
    expect(at.aborts()).toBe(1);
  });

  test.each([
    [
      "cpu",
      { cpu: { total: 300, count: 1, current: 300 } },
      "Job CPU usage has exceeded maximum limit of 150% for 0 seconds.",
    ],
    [
      "mem",
      { mem: { total: 300, count: 1, current: 300 } },
      "Job memory usage has exceeded maximum limit of 150 bytes for 0 seconds.",
    ],
  ])("%s without a duration fires at the second check", async (type, usage, msg) => {
    const at = await setUp([limit(type, { amount: 150 })]);
    await at.report(usage);
    await at.report(usage, 2);
    expect(await at.limits()).toMatchObject([{ msg, code: 0 }]);
  });

  test("do not check a job whose process has ended", async () => {
    const at = await setUp([limit("time", { duration: 5, abort: true })]);
    await at.report({ state: "finishing" });
    await at.clock.advance(20);
    expect((await at.limits())[0]).not.toHaveProperty("date");
    expect(at.aborts()).toBe(0);
  });

  test("add their tags once, before anything else", async () => {
    const at = await setUp([
      limit("time", { duration: 2, tags: ["slow", "late"] }),
      limit("time", { duration: 3, tags: ["slow"] }),
    ]);
    await at.clock.advance(8);
    expect((await at.read())["tags"]).toEqual(["slow", "late"]);
  });
});

describe("the notifications of a limit", () => {
  test("delay the abort, but only for a bounded time", async () => {
    const { client, bodies } = slowClient();
    const at = await setUp([limit("time", { duration: 5, abort: true, web_hook: true, text: "look!" })], {
      webHooks: client,
    });
    for (let second = 0; second < 12; second++) await at.report();
    expect(bodies).toHaveLength(1);
    expect(at.aborts()).toBe(0);
    for (let second = 0; second < 8; second++) await at.report();
    expect(at.aborts()).toBe(1);
  });

  test("write their result to the limit, also after the abort was sent", async () => {
    const { client, answer } = slowClient();
    const at = await setUp([limit("time", { duration: 5, abort: true, web_hook: true })], { webHooks: client });
    for (let second = 0; second < 20; second++) await at.report();
    answer();
    await at.report();
    const [fired] = await at.limits();
    expect(fired).toMatchObject({ code: 0, details: expect.stringContaining("web_hook") });
    expect(Number(fired?.["elapsed_ms"])).toBeGreaterThan(10_000);
  });

  test("do not prevent the abort when they fail", async () => {
    const client: WebHookClient = { send: () => Promise.reject(new Error("no answer")) };
    const at = await setUp([limit("time", { duration: 5, abort: true, web_hook: true })], { webHooks: client });
    await at.clock.advance(20);
    expect(at.aborts()).toBe(1);
    expect((await at.limits())[0]?.["code"]).not.toBe(0);
  });

  test("in flight when a user aborts the job do not cause a retry", async () => {
    const { client, answer } = slowClient();
    const at = await setUp(
      [limit("time", { duration: 5, abort: true, web_hook: true }), limit("retry", { amount: 3 })],
      { webHooks: client },
    );
    for (let second = 0; second < 8; second++) await at.report();
    await at.api.abortJob({ id: at.id });
    answer();
    for (let second = 0; second < 4; second++) await at.report();
    at.server.send("jobs", { [at.id]: { state: "complete", complete: true, code: "abort", description: "stopped" } });
    await at.settle();
    const job = await at.read();
    expect(job).toMatchObject({ code: "abort", final: true });
    expect(job).not.toHaveProperty("retried");
  });
});

describe("a fired limit", () => {
  const mailer = () => {
    const sent: Mail[] = [];
    return { sent, mailer: { send: async (mail: Mail) => void sent.push(mail) } };
  };

  test("sends a mail with its kind, source, message and measures", async () => {
    const { sent, mailer: given } = mailer();
    const members = { duration: 5, abort: true, tags: ["slow"], email: "ops@example.com", users: ["nobody"] };
    const at = await setUp([limit("time", members)], { mailer: given });
    await at.clock.advance(8);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.subject).toBe("Signalbox: Backup exceeded a limit");
    for (const line of [
      "- **Limit:** Max Run Time",
      "- **Source of the limit:** event",
      "- **Message:** Job elapsed time has exceeded maximum limit of 5 seconds.",
      "- Tags were added: slow\n- This mail was sent\n- The job is aborted",
    ])
      expect(sent[0]?.text).toContain(line);
    expect(at.aborts()).toBe(1);
    expect((await at.limits())[0]).toMatchObject({
      code: 0,
      details: expect.stringContaining("### email"),
      elapsed_ms: expect.any(Number),
    });
  });

  test("survives a restart: it acts after the next start, under the same key, also for an ended job", async () => {
    const keys: unknown[] = [];
    let isHung = true;
    const client: WebHookClient = {
      send({ headers }) {
        keys.push(headers["X-Idempotency-Key"]);
        const answer = { status: 200, statusText: "OK", headers: {}, body: "", elapsedMs: 1 };
        return isHung ? new Promise(() => undefined) : Promise.resolve(answer);
      },
    };
    const at = await setUp([limit("time", { duration: 5, abort: true, web_hook: true })], { webHooks: client });
    await at.clock.advance(8);
    expect([keys.length, at.aborts()]).toEqual([1, 0]);
    at.crash();
    isHung = false;
    const later = await startJobs({ storage: at.storage, clock: fakeClock(at.clock.now() + 60), webHooks: client });
    await later.clock.advance(30);
    expect(keys).toEqual([`${at.id}/limit-0/0`, `${at.id}/limit-0/0`]);
    expect((await later.signalbox.api.getJob({ id: at.id })).job).toMatchObject({
      code: "abort",
      final: true,
      limits: [{ code: 0, details: expect.stringContaining("### web_hook") }],
    });
    await later.signalbox.stop();
  });

  test("records the code of a snapshot that cannot be taken, and does everything else", async () => {
    const { sent, mailer: given } = mailer();
    const at = await setUp([limit("log", { amount: 3, email: "ops@example.com", snapshot: true })], { mailer: given });
    at.server.send("job_log", { id: at.id, text: "more\n" });
    await at.clock.advance(1);
    at.server.close();
    await at.clock.advance(3);
    expect(sent).toHaveLength(1);
    expect((await at.limits())[0]).toMatchObject({
      date: expect.any(Number),
      details: expect.stringContaining("### snapshot"),
    });
  });
});
