import { describe, expect, test } from "vitest";
import { failed, type Members, setUp, ticket } from "../../../../test/desk/job-ticket-setup.ts";
import { launched } from "../../../testing/test-jobs.ts";

describe("the ticket action of a job", () => {
  test("opens a ticket with all facts that people need, and links both to each other", async () => {
    const at = await setUp();
    const event = await at.event({ tags: ["nightly"], actions: [ticket("error")], notes: "Call **Ann**." });
    const job = await at.run(event, { ...failed, perf: { db: 1 } }, "one\n\u001b[31mtwo\u001b[0m\n```\n");
    const [made] = await at.tickets();
    expect(made).toMatchObject({
      num: 1,
      subject: `Job #${job.id} failed with code: 3 (Backup)`,
      ...{ type: "issue", status: "open", category: "general", server: "s1", username: "system" },
      ...{ assignees: ["admin"], cc: [], notify: [], due: 0, events: [] },
      changes: [{ type: "change", key: "created", username: "system" }],
    });
    expect(new Set(made?.["tags"] as string[])).toEqual(new Set(["db", "nightly"]));
    const body = String(made?.["body"]).replaceAll(job.id, "JOB");
    expect(body.replace(/t=[\w-]{22}\b/, "t=TOKEN").split("\n")).toEqual([
      ...["**Signalbox:** The job **Backup** failed with code **3**.", "", "- **Job ID:** JOB", "- **Error code:** 3"],
      ...["- **Event:** Backup", "- **Category:** General", "- **Plugin:** Shell Script", "- **Server:** web01"],
      ...["- **PID:** n/a", "- **Completed:** Nov 21, 2026, 9:33:20 AM", "- **Elapsed:** 0 seconds"],
      ...['- **Performance:** {"db":1}', "- **Average memory:** n/a", "- **Average CPU:** n/a", ""],
      ...["## Description", "", "```text", "No *disk* left", "```", ""],
      "- [Details of the job](http://localhost:5522/#Job?id=JOB)",
      "- [Full log](http://localhost:5522/api/app/download_job_log?id=JOB&t=TOKEN) (21 bytes)",
      ...["", "## Output", "", "```text", "one", "two", "```", "", "## Report", "", "```text", "n/a", "```", ""],
      ...["## Notes", "", "Call **Ann**."],
    ]);
    expect(job["tickets"]).toEqual([made?.["id"]]);
    expect(job["actions"]).toMatchObject([
      { code: 0, description: `Successfully created ticket: #1 (${made?.["id"]})`, loc: "#1" },
    ]);
    expect((await at.api.searchJobs({ query: `tickets:${made?.["id"]}` })).list.length).toBe(1);
    expect(await at.activity("ticket_create")).toMatchObject([{ username: "system" }]);
  });

  test("shows both ends of an output that is stored elsewhere", async () => {
    const at = await setUp({ config: { max_inline_job_log_size: "1 KB" } });
    const log = Array.from({ length: 5000 }, (_, n) => `line ${n}\n`).join("");
    const job = await at.run(await at.event({ actions: [ticket("success")] }), {}, log);
    await at.settle(5);
    expect(job["output"]).toBeUndefined();
    await at.api.createTicket({ subject: "Later", template: "job", job: job.id });
    for (const { body } of await at.tickets()) {
      expect(body).toContain("line 8\nline 9\n\n[…]\n\nline 4990\n");
      expect(body).toContain("line 4999\n```");
    }
  });

  test("shows the result of the job with its published table, and no tag that the engine has set", async () => {
    const at = await setUp();
    const actions = [ticket("start", { ticket_tags: [] }), ticket("success")];
    const table = { header: ["Name", "Rows"], rows: [["a|b", 5]] };
    const job = await at.run(await at.event({ actions, tags: ["nightly"] }), { table });
    const [running, done] = await at.tickets();
    expect(running).toMatchObject({ subject: `Job #${job.id} is running (Backup)`, tags: ["nightly"] });
    expect(done).toMatchObject({ subject: `Job #${job.id} succeeded (Backup)` });
    expect(done?.["body"]).toContain("## Files\n\n(None)");
    expect(done?.["body"]).toContain("Name | Rows\na|b | 5");
    expect(job["tags"]).toContain("_success");
    expect(new Set(done?.["tags"] as string[])).toEqual(new Set(["nightly", "db"]));
    expect(job["tickets"]).toEqual([running?.["id"], done?.["id"]]);
  });

  test.each<[unknown, unknown]>([
    ["3 days", 1_795_478_400],
    [1_900_000_000, 1_900_000_000],
    ["", 1_795_305_600],
    [undefined, 1_795_305_600],
  ])("is due by %j, or as the template for new tickets says", async (ticket_due, due) => {
    const preset = { cc: ["ann", "b@example.com"], notify: ["c@example.com"], due: "1 day", subject: "Ignored" };
    const at = await setUp({ config: { tz: "UTC", client: { new_ticket_template: preset } } });
    await at.run(await at.event({ actions: [ticket("error", { ticket_due })] }), failed);
    expect(await at.tickets()).toMatchObject([{ due, cc: preset.cc, notify: preset.notify }]);
  });

  test("expands values once, leaves out deleted tags, and says so", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [ticket("error", { ticket_tags: ["db", "gone"] })] });
    await at.api.deleteTag({ id: "db" });
    const job = await at.run(event, { code: 1, description: "{{ job.id }} ``` {{ env.HOME }}" });
    const [made] = await at.tickets();
    expect(made).toMatchObject({ tags: [] });
    expect(made?.["body"]).toContain("```text\n{{ job.id }} '' {{ env.HOME }}\n```");
    expect(job["actions"]).toMatchObject([{ details: expect.stringContaining("**Unknown tags:** `db`, `gone`") }]);
  });

  test("uses the texts of the configuration instead of its own", async () => {
    const at = await setUp({ config: { tickets: { templates: { job_fail: "{{ event.title }}: {{ job.nope }}" } } } });
    await at.run(await at.event({ actions: [ticket("error")] }), failed);
    expect(await at.tickets()).toMatchObject([{ body: "Backup: n/a" }]);
  });

  test("runs once for each of its kind in a phase, and once for each however often it is retried", async () => {
    const at = await setUp();
    const actions = [ticket("error"), ticket("complete"), ticket("error", { ticket_type: "incident" })];
    const job = await at.run(await at.event({ actions }), failed);
    expect((await at.tickets()).map(({ type }) => type).toSorted()).toEqual(["incident", "issue"]);
    expect(job["tickets"]).toHaveLength(2);
  });

  test("accepts types that the host has added; without them it fails in words, and the job is unaffected", async () => {
    const at = await setUp({ config: { tickets: { more_types: [{ id: "outage", title: "Outage" }] } } });
    const event = await at.event({ actions: [ticket("error", { ticket_type: "outage" })] });
    await at.run(event, failed);
    expect(await at.tickets()).toMatchObject([{ type: "outage" }]);
    const { id } = await at.api.runEvent({ id: event });
    await at.settle();
    // The configuration changes while the job runs.
    Object.assign(at.signalbox.config.tickets, { more_types: [] });
    expect(await at.end(id, failed)).toMatchObject({
      code: 3,
      actions: [{ code: "ticket", description: "Unknown ticket type: outage" }],
    });
  });

  test("passes its ticket on to the jobs that the same phase launches", async () => {
    const at = await setUp();
    const next = await at.event({ id: "next", title: "Next" });
    const chain = { enabled: true, condition: "tag:db", type: "run_event", event_id: next };
    const first = await at.event({ tags: ["db"], actions: [ticket("start"), chain] });
    const job = await at.run(first);
    expect(job["tickets"]).toHaveLength(1);
    expect(launched(at.server)[1]?.job).toMatchObject({ event: next, tickets: job["tickets"] });
  });
});

describe("options that are refused", () => {
  test.each<[Members, string]>([
    [{ ticket_type: "nonsense" }, "Invalid Ticket type."],
    [{ ticket_type: 5 }, "Invalid Ticket type."],
    [{ ticket_due: "when it rains" }, "Invalid Ticket due type."],
    [{ reuse: "always" }, "Invalid Ticket reuse option (must be 'open' or 'new')."],
    [{ reuse: true }, "Invalid Ticket reuse option (must be 'open' or 'new')."],
    [{ close_on_clear: "yes" }, "Invalid Ticket close_on_clear flag."],
    [{ close_on_clear: true, condition: "success" }, "Ticket cannot be closed on clear by an action on success."],
  ])("%j", async (members, text) => {
    const at = await setUp();
    await expect(at.event({ actions: [ticket("error", members)] })).rejects.toThrow(
      `Malformed action entry #1: ${text}`,
    );
  });
});
