import { afterEach, describe, expect, test } from "vitest";
import { keepingMailer } from "../../../../test/scripted/keeping-mailer.ts";
import type { Mail, Mailer } from "../../../ports/outside/mailer.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { type JobsOptions, startJobs, type TestJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

async function setUp(options: JobsOptions = {}) {
  const { mailer, sent } = keepingMailer();
  const jobs = await startJobs({ mailer, ...options });
  running.push(jobs);
  const { api } = jobs.signalbox;
  await api.userAdminUpdate({ username: "admin", email: "boss@example.com" });
  sent.length = 0;
  const server = await jobs.connect();
  return {
    ...jobs,
    api,
    sent,
    server,
    async run(actions: Members[], update: Members = {}, event: Members = {}) {
      const { id } = await api.runEvent({ id: await jobs.event({ actions, ...event }) });
      await jobs.settle();
      server.send("job_log", { id, text: "one\n\u001b[31mtwo\u001b[0m <b>\n" });
      server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...update } });
      await jobs.settle();
      await jobs.settle();
      return id;
    },
    job: async (id: string) => (await api.getJob({ id })).job,
    actions: async (id: string) => (await api.getJob({ id })).job["actions"] as Members[],
  };
}

const email = (condition: string, members: Members = {}) => ({
  enabled: true,
  condition,
  type: "email",
  users: [],
  email: "ops@example.com",
  ...members,
});

describe("a mail about a job", () => {
  test("goes to users and addresses, says in both forms how the job ended, and leaves its result", async () => {
    const at = await setUp();
    const id = await at.run(
      [email("complete", { users: ["ADMIN", "nobody"], email: "ops@example.com, B <b@example.com>" })],
      {
        table: { title: "Top", header: ["Name"], rows: [["<x>"]] },
        perf: { db: 1 },
      },
    );
    const [mail] = at.sent;
    expect(mail).toMatchObject({
      from: "admin@localhost",
      to: ["boss@example.com", "ops@example.com", '"B" <b@example.com>'],
      subject: "Signalbox: Backup succeeded",
    });
    expect(mail?.text).toContain(
      `- **Job ID:** ${id}\n- **Event:** Backup\n- **Category:** General\n- **Plugin:** Shell Script`,
    );
    // The job reported no process.
    expect(mail?.text).toContain("- **Server:** web01\n- **Completed:** ");
    expect(mail?.text).toContain("one\ntwo <b>\n");
    expect(mail?.text).toContain(`View Job: http://localhost:5522/#Job?id=${id}`);
    expect(mail?.html).toContain("<li><strong>Event:</strong> Backup</li>");
    expect(mail?.html).toContain("two &lt;b&gt;</pre>");
    expect(mail?.html).toContain("&lt;x&gt;</td>");
    expect(mail?.html).toContain(`/api/app/download_job_log?id=${id}&amp;t=`);
    const list = 'boss@example.com, ops@example.com, "B" <b@example.com>';
    const [result] = await at.actions(id);
    expect(result).toMatchObject({ code: 0, description: `Email sent successfully to: ${list}` });
    expect(result?.["details"]).toContain(`**Message-ID:** \`${mail?.messageId}\``);
    expect(result?.["details"]).not.toContain("two");
    expect(JSON.stringify((await at.job(id))["activity"])).toContain("Sending email notification to: boss@example.com");
  });

  test.each<[string, Members, string, string]>([
    ["start", {}, "Signalbox: Backup has started", "has started on"],
    [
      "error",
      { code: 3, description: "No *disk*" },
      "Signalbox: Backup failed",
      "- **Error code:** 3\n- **Error description:** No *disk*",
    ],
  ])("on %s has its own words", async (condition, update, subject, text) => {
    const at = await setUp();
    await at.run([email(condition)], update);
    expect(at.sent).toHaveLength(1);
    expect(at.sent[0]?.subject).toBe(subject);
    expect(at.sent[0]?.text).toContain(text);
  });

  test("takes a text of its own but keeps recipients and subject, unless the text sets some", async () => {
    const at = await setUp();
    await at.run(
      [
        email("success", { body: "Hello {{ job.id }}, **{{ job.description }}**" }),
        email("success", {
          email: "b@example.com",
          body: "<!-- Subject: Mine -->\n<!-- Cc: c@example.com -->\n{{ body }}",
        }),
      ],
      { description: "{{ job.id }}" },
    );
    const [first, second] = at.sent.toSorted((a, b) => (a.subject < b.subject ? 1 : -1));
    expect(first).toMatchObject({ to: ["ops@example.com"], subject: "Signalbox: Backup succeeded" });
    expect(first?.text).toContain("**{{ job.id }}**");
    expect(second).toMatchObject({ to: ["b@example.com"], cc: ["c@example.com"], subject: "Mine" });
  });

  test("is not redirected by texts of the job", async () => {
    const at = await setUp();
    await at.run([email("error", { body: "<!-- Subject: {{ job.description }} -->\n{{ job.description }}" })], {
      code: 1,
      description: "x\r\nBcc: evil@example.com <!-- To: evil@example.com -->",
    });
    expect(at.sent).toMatchObject([{ to: ["ops@example.com"] }]);
    expect(at.sent[0]).not.toHaveProperty("bcc");
    expect(at.sent[0]?.subject).not.toMatch(/[\r\n]/);
  });

  test("a mail without recipients is skipped, and one to a malformed address fails", async () => {
    const at = await setUp();
    const id = await at.run([email("success", { users: ["nobody"], email: "" }), email("success", { email: "x y" })]);
    expect(at.sent).toEqual([]);
    expect(await at.actions(id)).toMatchObject([
      { code: 0, description: "No recipients for email (skipping)" },
      { code: "email", description: "Failed to send e-mail: x y: not a mail address" },
    ]);
  });

  test("a mail with the users in another order is another mail; the same mail again is not sent", async () => {
    const at = await setUp();
    await at.run([
      email("complete", { users: ["admin", "b"] }),
      email("success", { users: ["admin", "b"] }),
      email("success", { users: ["b", "admin"] }),
    ]);
    expect(at.sent).toHaveLength(2);
  });

  test("has correct links when the address of the service ends in a slash", async () => {
    const at = await setUp({ config: { base_app_url: "https://ops.example.com/x/" } });
    const id = await at.run([email("success")]);
    expect(at.sent[0]?.text).toContain(`View Job: https://ops.example.com/x/#Job?id=${id}\n`);
    expect(at.sent[0]?.messageId).toMatch(/@ops\.example\.com>$/);
  });

  test("may have other texts in the configuration, or be plain text only", async () => {
    const at = await setUp({
      config: {
        email_format: "text",
        mail_templates: { job_success: "<!-- To: {{ email_to }} -->\n<!-- Subject: Yes -->\nFine: {{ event.title }}" },
      },
    });
    await at.run([email("success")]);
    expect(at.sent).toMatchObject([
      { subject: "Yes", text: "Yes\n\nFine: Backup\n\n-- \nSignalbox, http://localhost:5522\n" },
    ]);
    expect(at.sent[0]).not.toHaveProperty("html");
  });

  test("shows the beginning and the end of a long output", async () => {
    const at = await setUp();
    const { id } = await at.api.runEvent({ id: await at.event({ actions: [email("success")] }) });
    await at.settle();
    for (let line = 0; line < 40; line++) at.server.send("job_log", { id, text: `${line}:${"x".repeat(1000)}\n` });
    at.server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
    await at.settle();
    await at.settle();
    const text = String(at.sent[0]?.text);
    expect(text).toContain("0:xxx");
    expect(text).toContain("\n[…]\n");
    expect(text).toContain("\n39:xxx");
    expect(text).not.toContain("\n20:xxx");
    expect(text.length).toBeLessThan(40_000);
  });
});

describe("a mail about a job", () => {
  test("names no elapsed time, memory or log when the job has only started", async () => {
    const at = await setUp();
    await at.run([email("start")]);
    expect(at.sent[0]?.subject).toBe("Signalbox: Backup has started");
    expect(at.sent[0]?.text).not.toMatch(/elapsed|memory|log\b|n\/a B/i);
  });

  test("links to the job's page instead of its log where the host wants no such links", async () => {
    const at = await setUp({ config: { email_log_links: false } });
    const id = await at.run([email("success")]);
    expect(at.sent[0]?.text).toContain(`[Full log](http://localhost:5522/#Job?id=${id})`);
    expect(`${at.sent[0]?.text}${at.sent[0]?.html}`).not.toContain("download_job_log");
  });

  test("goes to every address of an action that lists several in one text", async () => {
    const at = await setUp();
    await at.run([email("success", { email: "a@example.com,b@example.com , A@example.com" })]);
    expect(at.sent[0]?.to).toEqual(["a@example.com", "b@example.com"]);
  });
});

describe("a mail that cannot be sent", () => {
  const temporary = (text: string) => Object.assign(new Error(text), { temporary: true });

  test("fails its action but not the job", async () => {
    const { mailer } = keepingMailer(new Error("550 no"));
    const at = await setUp({ mailer });
    const id = await at.run([email("success")]);
    expect(await at.job(id)).toMatchObject({
      code: 0,
      final: true,
      actions: [{ code: "email", description: "Failed to send e-mail: ops@example.com: 550 no" }],
    });
  });

  test("names the recipients that it did not reach", async () => {
    const at = await setUp({ mailer: { send: async () => ({ refused: ["b@example.com"] }) } });
    const [result] = await at.actions(await at.run([email("success", { email: "a@example.com, B <B@example.com>" })]));
    const description = "Email sent successfully to: a@example.com (refused by the mail server: b@example.com)";
    expect(result).toMatchObject({ code: 0, description });
    expect(result?.["details"]).toContain("- **Refused by the mail server:** `b@example.com`");
  });

  test("is retried as the same mail when the mail server refuses it temporarily", async () => {
    const tried: string[] = [];
    const { mailer: keeping, sent } = keepingMailer(temporary("451 later"));
    const mailer: Mailer = {
      send(mail, signal) {
        tried.push(mail.messageId);
        return keeping.send(mail, signal);
      },
    };
    const at = await setUp({ mailer });
    const id = await at.run([email("success")]);
    expect((await at.job(id))["final"]).toBeUndefined();
    await at.clock.advance(60);
    expect([sent.length, tried.length, new Set(tried).size]).toEqual([1, 2, 1]);
    expect((await at.actions(id))[0]).toMatchObject({ code: 0, details: expect.stringContaining("**Attempts:** 2") });
  });

  test("says so when the day's limit is reached", async () => {
    const clock = fakeClock(Math.ceil(1_795_253_600 / 86_400) * 86_400 - 20);
    const at = await setUp({ clock, config: { tz: "UTC", max_emails_per_day: 1 } });
    const id = await at.run([email("success"), email("success", { email: "b@example.com" })]);
    expect(at.sent).toHaveLength(1);
    expect((await at.actions(id)).map(({ code }) => code).toSorted()).toEqual([0, "email"]);
    expect(JSON.stringify(await at.actions(id))).toContain("Maximum email daily limit has been reached (1/day)");
    await at.clock.advance(30);
    await at.run([email("success")]);
    expect(at.sent).toHaveLength(2);
  });

  test("a mail without a sender's address is skipped, without a mailer it fails", async () => {
    const skipping = await setUp({ config: { email_from: "" } });
    const first = await skipping.run([email("success")]);
    expect((await skipping.actions(first))[0]).toMatchObject({
      code: 0,
      description: expect.stringContaining("No email was sent"),
    });
    const jobs = await startJobs();
    running.push(jobs);
    const server = await jobs.connect();
    const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event({ actions: [email("success")] }) });
    await jobs.settle();
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
    await jobs.settle();
    expect((await jobs.signalbox.api.getJob({ id })).job["actions"]).toMatchObject([
      { code: "email", description: expect.stringContaining("the host gave no mailer") },
    ]);
  });

  test("carries the Message-ID of the first attempt when it is sent again after a crash", async () => {
    const sent: Mail[] = [];
    let isHung = true;
    const mailer: Mailer = {
      send(mail) {
        sent.push(mail);
        return isHung ? new Promise(() => undefined) : Promise.resolve();
      },
    };
    const at = await setUp({ mailer });
    const id = await at.run([email("success")]);
    at.crash();
    isHung = false;
    const later = await startJobs({ storage: at.storage, clock: fakeClock(at.clock.now() + 1), mailer });
    running.splice(0, 1, later);
    await later.clock.advance(2);
    expect(sent.map(({ messageId }) => messageId)).toEqual([sent[0]?.messageId, sent[0]?.messageId]);
    expect((await later.signalbox.api.getJob({ id })).job).toMatchObject({ final: true, actions: [{ code: 0 }] });
  });
});
