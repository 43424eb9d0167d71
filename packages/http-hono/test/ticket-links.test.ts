import { memoryBlobStore } from "@signalbox/core";
import type { ScriptedServer } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

const config = { tz: "UTC", job_universal_actions: { default: [], workflow: [] }, alert_universal_actions: [] };
const eventOf = (members: object = {}) => ({
  ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["main"], algo: "random" },
  ...{ params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
  ...members,
});
const ticketAction = (condition: string, members: object = {}) => ({
  ...{ enabled: true, condition, type: "ticket", ticket_type: "issue", ticket_assignees: ["admin"], ticket_tags: [] },
  ...members,
});
const launched = (server: ScriptedServer) =>
  server.received
    .filter(({ cmd }) => cmd === "launch_job")
    .map(({ data }) => data as { job: Record<string, unknown> & { id: string }; details: Record<string, unknown> });

/** An engine over a storage with a server that runs jobs when told to. */
async function open(name: string) {
  const blobs = memoryBlobStore();
  const at = await openEngine(name, { blobs, config });
  const { get, post } = at.admin;
  const server = await at.agent.connect({ hostname: "s1.example.internal", id: "s1", initial: { groups: ["main"] } });
  const until = untilOf(at.clock);
  const job = async (id: string) => (await get(`get_job/v1?id=${id}`)).body.job;
  return {
    ...{ admin: at.admin, blobs, clock: at.clock, get, job, next: at.next, post, send: at.send, server, until },
    tickets: async () =>
      (await get("search_tickets/v1?query=*&limit=100&sort_by=num&sort_dir=1")).body.rows as {
        id: string;
        status: string;
        changes: Record<string, unknown>[];
      }[],
    async begin(event: string, members: object = {}): Promise<string> {
      const { id } = (await post("run_event", { id: event, ...members })).body;
      await until(() => launched(server).some((each) => each.job.id === id));
      return id;
    },
    async end(id: string, members: object = {}) {
      server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...members } });
      await until(async () => (await job(id)).final === true);
      return job(id);
    },
    async minute(temp: number) {
      await at.clock.advanceTo(Math.floor(at.clock.now() / 60) * 60 + 61);
      const stored = at.next("server.minute");
      server.send("monitor", { version: "1.0", date: at.clock.now(), data: { temp } });
      await stored;
    },
    async caller(privileges: Readonly<Record<string, boolean>>, categories: readonly string[] = []) {
      const { body } = await post("create_api_key", { title: "Caller", privileges, categories });
      const headers = { "x-api-key": body.plain_key, "content-type": "application/json" };
      return (operation: string, sent: object) =>
        at.send(`/api/app/${operation}/v1`, { method: "POST", headers, body: JSON.stringify(sent) });
    },
  };
}

describe.each(ONE_STORAGE)("links of tickets over %s", (name) => {
  test("a job that fails repeatedly has one ticket, which closes when it succeeds", async () => {
    const at = await open(name);
    const action = ticketAction("error", { reuse: "open", close_on_clear: true });
    const { event } = (await at.post("create_event", eventOf({ actions: [action] }))).body;
    const together = [await at.begin(event.id), await at.begin(event.id), await at.begin(event.id)];
    await Promise.all(together.map((id) => at.end(id, { code: 1, description: "No disk" })));
    const [ticket, ...others] = await at.tickets();
    expect(others).toEqual([]);
    expect(ticket?.changes.map(({ type, key }) => key ?? type)).toEqual(["created", "comment", "comment"]);
    for (const id of together) expect((await at.job(id)).tickets).toEqual([ticket?.id]);
    expect((await at.get(`search_jobs/v1?query=tickets:${ticket?.id}&limit=10`)).body.list.length).toBe(3);
    await at.clock.advance(10);
    await at.end(await at.begin(event.id));
    await at.until(async () => (await at.tickets())[0]?.status === "closed");
    expect((await at.tickets())[0]?.changes.slice(3)).toMatchObject([
      { type: "comment", username: "system" },
      { key: "status", value: "closed" },
    ]);
  });

  test("an alert opens a ticket with its number in its result, and its end closes it", async () => {
    const at = await open(name);
    const action = ticketAction("alert_new", { close_on_clear: true });
    await at.post("create_alert", {
      id: "hot",
      title: "Hot",
      expression: "temp >= 50",
      message: "{{temp}}",
      actions: [action],
    });
    await at.minute(60);
    await at.until(async () => (await at.tickets()).length === 1);
    const [ticket] = await at.tickets();
    const found = async () => (await at.get(`search_alerts/v1?query=tickets:${ticket?.id}`)).body.rows;
    await at.until(async () => (await found())[0]?.actions?.[0]?.code === 0);
    expect(await found()).toMatchObject([{ alert: "hot", tickets: [ticket?.id], actions: [{ code: 0, loc: "#1" }] }]);
    await at.minute(1);
    await at.minute(1);
    await at.until(async () => (await at.tickets())[0]?.status === "closed");
  });

  test("a ticket of a template describes the job, has its server and tags, and is in its list", async () => {
    const at = await open(name);
    const { event } = (await at.post("create_event", eventOf({ tags: ["important"] }))).body;
    const id = await at.begin(event.id);
    at.server.send("job_log", { id, text: "line\n".repeat(30) });
    await at.until(async () => (await at.get(`tail_live_job_log/v1?id=${id}`)).body.text !== "");
    const live = (await at.post("create_ticket", { subject: "Slow", template: "job", job: id, body: "Ignored" })).body;
    expect(live.ticket).toMatchObject({ category: "general", server: "s1", tags: ["important"], subject: "Slow" });
    expect(live.ticket.body).toContain("is running");
    expect(live.ticket.body).toContain(`${"line\n".repeat(10)}\n[…]\n\n${"line\n".repeat(10)}`);
    const job = await at.end(id, { code: "critical", description: "Gone" });
    expect(job.tickets).toEqual([live.ticket.id]);
    const sent = { subject: "Gone", template: "job", job: id, category: "", tags: ["flag"], server: "s9" };
    const over = (await at.post("create_ticket", sent)).body.ticket;
    expect(over).toMatchObject({ category: "", server: "s9", tags: ["flag"] });
    expect(over.body).toContain("failed with code **critical**");
    expect((await at.job(id)).tickets).toEqual([live.ticket.id, over.id]);
    const third = (await at.post("create_ticket", { subject: "Tags", template: "job", job: id })).body.ticket;
    expect(third.tags).toEqual(["important"]);
  });

  test("a ticket runs an event with its files and is listed with the job; once deleted, nothing names it", async () => {
    const at = await open(name);
    const { event } = (await at.post("create_event", eventOf({ id: "fix" }))).body;
    const form = new FormData();
    form.set("json", JSON.stringify({ subject: "Fix it", category: "general", events: [{ id: event.id }] }));
    form.set("f", new File(["x"], "a.txt"));
    const { body: key } = await at.post("create_api_key", { title: "Clerk", privileges: { create_tickets: true } });
    const headers = { "x-api-key": key.plain_key };
    const { ticket } = (await at.send("/api/app/create_ticket/v1", { method: "POST", headers, body: form })).body;
    const clerk = await at.caller({ edit_tickets: true, run_jobs: true, delete_tickets: true }, ["general"]);
    const { id } = (await clerk("run_ticket_event", { id: ticket.id, index: 0 })).body;
    await at.until(() => launched(at.server).length === 1);
    const [sent] = launched(at.server);
    expect(sent).toMatchObject({
      job: { id, tickets: [ticket.id], source: "key" },
      details: { input: { files: [{ ...ticket.files[0], ticket: ticket.id }] } },
    });
    await at.end(id);
    expect((await at.get(`search_jobs/v1?query=tickets:${ticket.id}`)).body.list.length).toBe(1);
    expect((await clerk("delete_ticket", ticket)).text).toBe('{"code":0}\n');
    await at.until(async () => (await at.blobs.list("files/", { limit: 10 })).length === 0);
    expect((await at.job(id)).tickets).toEqual([]);
  });

  test("the list of a job is replaced by hand after its end", async () => {
    const at = await open(name);
    const { event } = (await at.post("create_event", eventOf())).body;
    const id = await at.begin(event.id, { tickets: ["t1"] });
    const clerk = await at.caller({ edit_tickets: true });
    expect((await clerk("manage_job_tickets", { id, tickets: [] })).body).toEqual({
      code: "job",
      description: "Cannot update tickets of running job.",
    });
    expect((await at.end(id)).tickets).toEqual(["t1"]);
    expect((await clerk("manage_job_tickets", { id, tickets: ["t2", "t3"] })).text).toBe('{"code":0}\n');
    expect(await at.job(id)).toMatchObject({ tickets: ["t2", "t3"] });
    expect((await at.job(id)).activity.at(-1).msg).toMatch(/^The tickets of the job were changed by API Key: Caller/);
    expect((await clerk("manage_job_tickets", { id, tickets: [], more: 1 })).body.description).toBe(
      "Too many properties in params",
    );
  });
});

describe("templates of create_ticket", () => {
  test.each<[object, string]>([
    [{ template: "mail" }, "Failed to create ticket: Unsupported ticket template."],
    [{ template: { job: 1 } }, "Failed to create ticket: Unsupported ticket template."],
    [{ template: "job" }, "Failed to create ticket: Missing job parameter"],
    [{ template: "alert", alert: "" }, "Failed to create ticket: Missing alert parameter"],
    [{ template: "job", job: "none" }, "Failed to create ticket: Job not found: none"],
    [{ template: "alert", alert: "none" }, "Failed to create ticket: Alert invocation not found: none"],
  ])("%j is refused", async (members, description) => {
    const at = await open("memory");
    expect((await at.post("create_ticket", { subject: "One", ...members })).body).toEqual({
      code: "ticket",
      description,
    });
    expect(await at.tickets()).toEqual([]);
  });

  test("a caller learns nothing of jobs that are out of reach", async () => {
    const at = await open("memory");
    await at.post("create_category", { id: "rail", title: "Rail" });
    const { event } = (await at.post("create_event", eventOf())).body;
    const id = await at.begin(event.id);
    const clerk = await at.caller({ create_tickets: true }, ["rail"]);
    const sent = { subject: "One", category: "rail", template: "job", job: id };
    expect((await clerk("create_ticket", sent)).body).toEqual({
      code: "access",
      description: "You do not have the required account privileges to access category ID general.",
    });
    expect(await at.tickets()).toEqual([]);
  });
});
