import { describe, expect, test } from "vitest";
import { InputError } from "../../../kernel/errors/errors.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";
import { labelAction, tagAction } from "./own-job.ts";

type Members = Record<string, unknown>;

/** Runs a job with the given actions until the update ends it. */
async function finished(actions: readonly Members[], update: Members = {}) {
  const jobs = await startJobs();
  const { api } = jobs.signalbox;
  for (const id of ["one", "two"]) await api.createTag({ id, title: id });
  const server = await jobs.connect();
  const event = await jobs.event({ actions: actions.map((action) => ({ enabled: true, ...action })) });
  const { id } = await api.runEvent({ id: event });
  await jobs.settle();
  const sent = launched(server)[0]?.job ?? {};
  server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...update } });
  await jobs.settle();
  const { job } = await api.getJob({ id });
  const lines = (job["activity"] as { msg: string }[]).map(({ msg }) => msg);
  return { api, event, job, lines, sent, jobs };
}

describe("a tag action", () => {
  test("adds its tags once, reports them, and keeps the earlier tags", async () => {
    const { job, lines } = await finished([
      { condition: "success", type: "tag", tags: ["one", "one"] },
      { condition: "success", type: "tag", tags: ["two", "one"] },
    ]);
    expect(new Set(job["tags"] as string[])).toEqual(new Set(["one", "two", "_success", "_last"]));
    expect(job["tags"]).toHaveLength(4);
    expect(lines).toContain("Added tags: two, one");
    expect(job["actions"]).toMatchObject([
      { code: 0, description: "Added tags: one, one" },
      { code: 0, description: "Added tags: two, one" },
    ]);
  });

  test("at the start takes effect before the job is sent", async () => {
    const { sent } = await finished([{ condition: "start", type: "tag", tags: ["one"] }]);
    expect(sent["tags"]).toEqual(["one"]);
  });

  test("triggers no action that waits for its tag", async () => {
    const { job } = await finished([
      { condition: "complete", type: "tag", tags: ["one"] },
      { condition: "tag:one", type: "label", label: "tagged" },
    ]);
    expect(job["label"]).toBeUndefined();
  });

  test("with an unknown tag warns, and the job's result is unchanged", async () => {
    const { job, lines } = await finished([{ condition: "success", type: "tag", tags: ["nope"] }]);
    expect(job).toMatchObject({ code: 0, tags: ["_success", "_last"] });
    expect(lines).toContain("WARNING: Ignoring unknown tag: nope");
  });

  test.each([
    [{}, "Invalid tag list."],
    [{ tags: "one" }, "Invalid tag list."],
    [{ tags: [] }, "No tags selected."],
  ])("%j is refused", (action, message) => {
    expect(() => tagAction.validate?.(action)).toThrow(new InputError(message));
  });
});

describe("a label action", () => {
  test("expands macros once and leaves no markup", async () => {
    const { job } = await finished([{ condition: "success", type: "label", label: "v{{ job.data.v }}" }], {
      data: { v: "<b>1</b>{{ job.id }}" },
    });
    expect(job).toMatchObject({ label: "v1{{ job.id }}" });
  });

  test("reports macros without a value, as does the content that a job shows", async () => {
    const { job, event } = await finished([{ condition: "success", type: "label", label: "v{{ job.data.nope }}" }], {
      text: "{{ job.nope }} of {{ job.event }}",
    });
    expect(job).toMatchObject({ label: "vn/a", html: { content: `<pre>n/a of ${event}</pre>` } });
  });

  test("runs first when there are several actions", async () => {
    const { job } = await finished([
      { condition: "success", type: "label", label: "second" },
      { condition: "complete", type: "label", label: "first" },
    ]);
    expect(job["label"]).toBe("first");
    expect((job["actions"] as Members[]).map(({ code }) => code)).toEqual([undefined, 0]);
  });

  test.each([
    [{}, "Invalid label."],
    [{ label: 5 }, "Invalid label."],
    [{ label: "a<b" }, "Label contains invalid characters."],
    [{ label: "" }, "No label specified."],
  ])("%j is refused", (action, message) => {
    expect(() => labelAction.validate?.(action)).toThrow(new InputError(message));
  });
});

describe("actions on the job's event", () => {
  test("disable the event once the job is final", async () => {
    const { api, event, job } = await finished([{ condition: "success", type: "disable" }]);
    expect((await api.getEvent({ id: event })).event).toMatchObject({ enabled: false, revision: 2 });
    expect(job).not.toHaveProperty("update_event");
  });

  test("delete the event, which takes precedence over disable", async () => {
    const { api, event, job, lines } = await finished([
      { condition: "success", type: "disable" },
      { condition: "success", type: "delete" },
    ]);
    await expect(api.getEvent({ id: event })).rejects.toThrow(`Failed to locate event: ${event}`);
    expect(job).not.toHaveProperty("delete_event");
    expect(lines).toContain("Event was deleted: Backup");
  });

  test("leave the event alone when their condition does not occur", async () => {
    const { api, event } = await finished([{ condition: "success", type: "delete" }], { code: 1 });
    expect((await api.getEvent({ id: event })).event.enabled).toBe(true);
  });
});

describe("conditions at one end of a job", () => {
  const note = (condition: string) => ({ condition, type: "tag", tags: [condition.replace(":", "_")] });
  const all = ["complete", "success", "error", "warning", "critical", "abort", "user", "tag:one"].map(note);
  test.each([
    [0, ["complete", "success"]],
    ["warning", ["complete", "error", "warning"]],
    ["critical", ["complete", "error", "critical"]],
    [3, ["complete", "error", "user"]],
    ["my code", ["complete", "error", "user"]],
  ])("of code %j run %j", async (code, expected) => {
    const { job } = await finished(all, { code });
    const fired = (job["actions"] as Members[]).filter((action) => action["code"] === 0);
    expect(fired.map(({ condition }) => condition)).toEqual(expected);
  });

  test("include a tag of the job; an undefined tag fails its actions", async () => {
    const { job } = await finished([note("tag:one"), note("tag:nope")], { push: { tags: ["one"] } });
    expect(job["actions"]).toMatchObject([{ code: 0 }, { code: "tag", description: "Unknown tag: nope" }]);
  });
});
