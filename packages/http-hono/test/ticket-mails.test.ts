import type { ConfigInput } from "@signalbox/core";
import type { Mail } from "@signalbox/core/adapter";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

/** Callers over HTTP, and a mailer that keeps its mails. */
async function setUp(name: string, tickets: ConfigInput["tickets"] = {}) {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const engine = await openEngine(name, { mailer, config: { tz: "UTC", debug: true, tickets } });
  const { admin } = engine;
  const ticket = async (members: object = {}): Promise<string> => {
    const { body } = await admin.post("create_ticket", {
      ...{ subject: "Disk full", body: "It is full.", notify: ["ops@example.com"] },
      ...members,
    });
    return body.ticket.id;
  };
  const until = untilOf(engine.clock);
  /** Advances the clock meanwhile: a busy database gets to due work a little later. */
  const arrived = async (subject: string): Promise<Mail> => {
    const find = (): Mail | undefined => mails.find((each) => each.subject === subject);
    await until(() => find() !== undefined);
    return find() as Mail;
  };
  return { ...engine, mails, ticket, arrived };
}

describe.each(ONE_STORAGE)("mails about tickets on %s", (name) => {
  test("announce a ticket, and combine twenty comments and a change in one mail", async () => {
    const at = await setUp(name);
    const id = await at.ticket();
    await at.arrived("Signalbox: #1 created: Disk full");
    await at.admin.post("update_ticket", { id, status: "closed" });
    const comments = Array.from({ length: 20 }, (_, index) => ({ type: "comment", body: `Comment ${index}.` }));
    const answers = await Promise.all(comments.map((change) => at.admin.post("add_ticket_change", { id, change })));
    expect(answers.map(({ body }) => body.code)).toEqual(comments.map(() => 0));
    await at.clock.advance(31);
    const mail = await at.arrived("Signalbox: #1 updated: Disk full");
    expect(mail.text).toContain("changed the status to **Closed**");
    for (const { body } of comments) expect(mail.text).toContain(body);
    expect(at.mails).toHaveLength(2);
    expect(mail.headers).toEqual(at.mails[0]?.headers);
  });

  test("are dropped when their ticket is deleted or becomes a draft; publishing announces it", async () => {
    const at = await setUp(name);
    const deleted = await at.ticket({ subject: "Deleted" });
    const draft = await at.ticket({ subject: "Draft", status: "draft" });
    await at.arrived("Signalbox: #1 created: Deleted");
    await at.admin.post("update_ticket", { id: deleted, status: "closed" });
    await at.admin.post("delete_ticket", { id: deleted });
    await at.admin.post("update_ticket", { id: draft, status: "open" });
    await at.admin.post("update_ticket", { id: draft, status: "draft" });
    await at.clock.advance(40);
    await at.admin.post("update_ticket", { id: draft, status: "open", subject: "Published" });
    await at.clock.advance(31);
    await at.arrived("Signalbox: #2 created: Published");
    expect(at.mails.map(({ subject }) => subject)).toEqual([
      "Signalbox: #1 created: Deleted",
      "Signalbox: #2 created: Published",
    ]);
  });

  test("report overdue tickets, each once", async () => {
    // The clock of the engine starts at eight in the morning.
    const at = await setUp(name, { overdue_schedule: "08:01", email_debounce_sec: 0 });
    await at.engine.api.userAdminCreate({
      username: "ann",
      password: "secret",
      email: "ann@example.com",
      full_name: "Ann",
    });
    const due = "2027-01-14";
    for (const subject of ["One", "Two"]) await at.ticket({ subject, due, assignees: ["ann"], notify: [] });
    await at.ticket({ subject: "Later", due: "2027-01-20", assignees: ["ann"], notify: [] });
    await at.arrived("Signalbox: #3 created: Later");
    await at.clock.advance(65);
    const notice = await at.arrived("Signalbox: #2 overdue: Two");
    await at.arrived("Signalbox: #1 overdue: One");
    expect(notice.to).toEqual(['"Ann" <ann@example.com>']);
    await at.clock.advance(300);
    await at.ticket({ subject: "Last" });
    await at.arrived("Signalbox: #4 created: Last");
    expect(at.mails.filter(({ subject }) => subject.includes("overdue"))).toHaveLength(2);
  });
});
