import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/engine.ts";
import { type Step, scriptedClient } from "../../../../test/scripted/scripted-client.ts";
import { startJobs } from "../../../testing/test-jobs.ts";

const EVENT = { plugin: "hookplug", params: { web_hook: "ops" } };

async function setUp(...steps: readonly Step[]) {
  const client = scriptedClient(...steps);
  const jobs = await startJobs({ webHooks: client });
  const { api } = jobs.signalbox;
  const hook = { title: "Ops", url: "https://example.com/", method: "POST", body: "{{text}}|{{secrets.T}}" };
  await api.createWebHook({ id: "ops", ...hook });
  const fields = [{ name: "T", value: "tok3n" }];
  await api.createSecret({ id: "z1", title: "Z", fields, web_hooks: ["ops"] });
  const server = await jobs.connect();
  const { id } = await api.runEvent({ id: await jobs.event(EVENT) });
  await jobs.settle();
  return {
    jobs,
    client,
    server,
    nobody: jobs.signalbox.as({}),
    job: id,
    call: { job: id, server: "s1", web_hook: "ops", text: "note {{job.id}}" },
    [Symbol.asyncDispose]: () => jobs.signalbox.stop(),
  };
}

const invalid = { code: "api", description: "Invalid." };

describe("fire_job_web_hook", () => {
  test("answers the record of the action, with the data of the job", async () => {
    await using at = await setUp({ body: "echo tok3n" });
    const answer = await at.nobody.fireJobWebHook(at.call);
    expect(answer).toMatchObject({
      enabled: true,
      type: "web_hook",
      condition: "continue",
      web_hook: "ops",
      text: "note {{job.id}}",
      code: 0,
      description: "Success (HTTP 200 OK)",
      date: expect.any(Number),
      elapsed_ms: expect.any(Number),
    });
    const { body = "" } = at.client.sent[0] ?? {};
    expect(body).toContain("Backup is running on");
    expect(body).toContain(`note ${at.job}|tok3n`);
    expect(answer.details).toContain("echo (REDACTED)");
    expect(JSON.stringify(answer)).not.toContain("tok3n");
  });

  test("the text cannot name secrets", async () => {
    await using at = await setUp({});
    await at.nobody.fireJobWebHook({ ...at.call, text: "{{secrets.T}}" });
    expect(at.client.sent[0]?.body).toMatch(/ n\/a\|tok3n$/);
  });

  test("a failure is the same record as an error", async () => {
    await using at = await setUp({ status: 404, statusText: "Not Found" });
    const error = await at.nobody.fireJobWebHook(at.call).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: "webhook",
      message: "Error: HTTP 404 Not Found: https://example.com/",
      details: { type: "web_hook", web_hook: "ops", details: expect.stringContaining("404") },
    });
  });

  test.each<[string, object]>([
    ["another job", { job: "j0" }],
    ["another server", { server: "s2" }],
    ["a deleted hook", { web_hook: "gone" }],
    ["another hook", { web_hook: "other" }],
  ])("%s is refused like every other mismatch", async (_what, change) => {
    await using at = await setUp({});
    await at.jobs.connect({ id: "s2", hostname: "web02.example.internal" });
    await at.jobs.signalbox.api.createWebHook({ id: "other", title: "O", url: "https://example.com/", method: "POST" });
    expect(await refusalOf(at.nobody.fireJobWebHook({ ...at.call, ...change }))).toEqual(invalid);
    expect(at.client.sent).toEqual([]);
  });

  test("is refused for a job of another plugin", async () => {
    await using at = await setUp({});
    const { api } = at.jobs.signalbox;
    const { id } = await api.runEvent({ id: await at.jobs.event({ params: { web_hook: "ops", script: "x" } }) });
    await at.jobs.settle();
    expect(await refusalOf(at.nobody.fireJobWebHook({ ...at.call, job: id }))).toEqual(invalid);
  });

  test("is refused while the job finishes", async () => {
    await using at = await setUp({});
    at.server.send("jobs", { [at.job]: { state: "finishing" } });
    await at.jobs.settle();
    expect(await refusalOf(at.nobody.fireJobWebHook(at.call))).toEqual(invalid);
  });

  test("is refused after the server disconnected", async () => {
    await using at = await setUp({});
    at.server.close();
    await at.jobs.settle();
    expect(await refusalOf(at.nobody.fireJobWebHook(at.call))).toEqual(invalid);
  });

  test("is refused after the end of the job", async () => {
    await using at = await setUp({});
    at.server.send("jobs", { [at.job]: { state: "complete", complete: true, code: 0 } });
    await at.jobs.settle();
    expect(await refusalOf(at.nobody.fireJobWebHook(at.call))).toEqual(invalid);
  });

  test("allows sixty calls a minute for each job", async () => {
    await using at = await setUp({});
    for (let count = 0; count < 60; count++) await at.nobody.fireJobWebHook(at.call);
    expect(await refusalOf(at.nobody.fireJobWebHook(at.call))).toEqual({
      code: "rate",
      description: `Too many web hooks for job: ${at.job} (60/min)`,
    });
    expect(at.client.sent).toHaveLength(60);
    await at.jobs.clock.advance(60);
    await at.nobody.fireJobWebHook(at.call);
  });

  test.each([{ job: "J-1" }, { server: 5 }, { web_hook: "" }, { text: {} }])("%j is malformed", async (change) => {
    await using at = await setUp({});
    expect((await refusalOf(at.nobody.fireJobWebHook({ ...at.call, ...change } as never))).code).toBe("api");
  });
});
