import type { DatabaseSync } from "node:sqlite";
import { gatherMore } from "@signalbox/core/storage";
import type { Members } from "./hand-serve.ts";
import { changedTicket, newTicket, noteOf, termsOf, textsOf } from "./hand-tickets.ts";

export interface HandWrites {
  create(input: Members): Promise<string>;
  update(input: Members): Promise<string>;
  /** A row of the activity log, with its words. */
  note(action: string, record: Members): Promise<void>;
}

/** Groups the writes of a few turns of the event loop: commits them together and answers them after the single flush. */
export function createGroups(database: DatabaseSync): (work: () => string) => Promise<string> {
  const waiting: { readonly work: () => string; readonly done: (answer: string) => void }[] = [];
  const flush = async (): Promise<void> => {
    await gatherMore(waiting);
    const group = waiting.splice(0);
    database.exec("begin immediate");
    const answers = group.map(({ work }) => work());
    database.exec("commit");
    for (const [index, { done }] of group.entries()) done(answers[index] ?? "");
  };
  return (work) =>
    new Promise((done) => {
      waiting.push({ work, done });
      if (waiting.length === 1) void flush();
    });
}

/** Writes the rows of our creates and updates, with the same indexes and the same flush. */
export function createHandWrites(database: DatabaseSync): HandWrites {
  const group = createGroups(database);
  const next = database.prepare("update sb_counters set value = value + 1 where name = 'tickets.num' returning value");
  const insert = database.prepare(`insert into sb_tickets (id, revision, doc, c_num, c_created, c_modified, c_due,
    t_subject, t_body, t_changes, k_terms) values (?, 1, ?, ?, ?, ?, null, ?, ?, 'created', ?)`);
  const read = database.prepare("select doc from sb_tickets where id = ?");
  const change =
    database.prepare(`update sb_tickets set revision = revision + 1, doc = ?, c_modified = ?, t_subject = ?,
    t_body = ?, t_changes = ? where id = ?`);
  const logged = database.prepare("insert into sb_activity (id, revision, doc, c_epoch) values (?, 1, ?, ?)");
  const words = database.prepare(
    "insert into sb_activity_terms (field, term, id) values (?, ?, ?), (?, ?, ?), (?, ?, ?)",
  );
  const note = (action: string, record: Members): void => {
    const { id, epoch, doc, terms } = noteOf(action, record);
    logged.run(id, doc, epoch);
    words.run(...terms.flatMap(([field, term]) => [field, term, id]));
  };
  return {
    create: (input) =>
      group(() => {
        const num = Number(next.get()?.["value"]);
        const ticket = newTicket(input, num);
        const { id, created } = ticket;
        const { subject, body } = textsOf(ticket);
        const terms = termsOf(input).map(([field, term]) => `${field}¦${term}`);
        insert.run(id, JSON.stringify(ticket), num, created, created, subject, body, terms.join(" "));
        note("ticket_create", ticket);
        return JSON.stringify({ code: 0, ticket });
      }),
    update: ({ id, subject }) =>
      group(() => {
        const ticket = changedTicket(String(read.get(String(id))?.["doc"]), subject);
        const texts = textsOf(ticket);
        change.run(JSON.stringify(ticket), ticket.modified, texts.subject, texts.body, texts.changes, String(id));
        note("ticket_update", ticket);
        return JSON.stringify({ code: 0, ticket });
      }),
    note: (action, record) =>
      group(() => {
        note(action, record);
        return "";
      }).then(() => undefined),
  };
}
