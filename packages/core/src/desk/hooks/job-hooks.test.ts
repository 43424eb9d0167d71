import { describe, expect, test } from "vitest";
import { type HookBox, useHooks } from "../../../test/directory/system-hook-setup.ts";

type Members = Readonly<Record<string, unknown>>;

const setUp = useHooks();
const URL_HOOK = "https://example.com/in";

describe("hooks of jobs", () => {
  const conditions = { job_start: URL_HOOK, job_complete: URL_HOOK, job_success: URL_HOOK, job_error: URL_HOOK };

  async function run(at: HookBox, event: Members = {}, end: Members = {}, call: Members = {}) {
    const server = await at.connect();
    const { id } = await at.api.runEvent({ id: await at.event(event), ...call });
    await at.settle();
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...end } });
    await at.settle();
    await at.settle();
    return id;
  }

  test("report the start and each condition of the end", async () => {
    const at = await setUp(conditions);
    const id = await run(at, {}, { code: 3, description: "No {{ job.id }} disk" });
    expect(at.actions()).toEqual(["job_complete", "job_error", "job_start"]);
    const told = at.bodies().find(({ action }) => action === "job_error");
    expect(told).toMatchObject({
      job: { id, code: 3 },
      event: { title: "Backup" },
      server: { id: "s1" },
      links: { job_details: expect.stringContaining(id) },
    });
    expect(told?.["text"]).toMatch(/^Signalbox Backup failed on .* with code 3: No \{\{ job\.id \}\} disk: http/);
    expect(told).not.toHaveProperty("env");
    expect(told?.["job"]).not.toHaveProperty("activity");
  });

  test("of tags are named by the id of the tag", async () => {
    const at = await setUp({ "job_tag:nightly": URL_HOOK, "job_tag:Nightly": "https://example.com/title" });
    await at.api.createTag({ id: "nightly", title: "Nightly" });
    await run(at, { tags: ["nightly"] });
    expect(at.sent.map(({ url }) => url)).toEqual([URL_HOOK]);
    expect(at.actions()).toEqual(["job_tag:nightly"]);
  });

  test("hooks also report jobs that leave no record", async () => {
    const at = await setUp({ job_success: URL_HOOK });
    const id = await run(at, {}, {}, { ephemeral: true });
    expect(at.bodies()).toMatchObject([{ action: "job_success", job: { id, code: 0 } }]);
    expect((await at.api.searchJobs({})).rows).toEqual([]);
  });

  test("report only the start of an attempt that is retried", async () => {
    const at = await setUp({ "*": URL_HOOK });
    at.sent.length = 0;
    await run(at, { limits: [{ enabled: true, type: "retry", amount: 1 }] }, { code: 1 });
    expect(at.actions().filter((action) => action.startsWith("job_"))).toEqual(["job_start", "job_start"]);
  });

  test("report only the conditions that a test run asks for", async () => {
    const at = await setUp({ "*": URL_HOOK });
    await run(at, {}, { code: 1 }, { test: true, test_conditions: ["error"] });
    expect(at.actions().filter((action) => action.startsWith("job_"))).toEqual(["job_error"]);
  });

  test("report no exceeded limit", async () => {
    const at = await setUp({ "*": URL_HOOK });
    const server = await at.connect();
    const limits = [{ enabled: true, type: "time", duration: 5, email: "ops@example.com" }];
    const { id } = await at.api.runEvent({ id: await at.event({ limits }) });
    await at.clock.advance(8);
    expect(at.mails).toHaveLength(1);
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
    await at.settle();
    expect(at.actions().filter((action) => action.startsWith("job_l"))).toEqual([]);
  });
});
