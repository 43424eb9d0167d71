import type { DatabaseSync } from "node:sqlite";
import { gatherMore } from "@signalbox/core/storage";

type Members = Readonly<Record<string, unknown>>;

export interface HandWrites {
  create(input: Members): Promise<string>;
  update(input: Members): Promise<string>;
  /** A row of the activity log, with its words. */
  note(action: string, record: Members): Promise<void>;
}

let serial = 0;
const newId = (letter: string): string =>
  `${letter}${Date.now().toString(36)}${(serial++).toString(36).padStart(7, "0")}`;
const wordsOf = (text: unknown): string => String(text).toLowerCase().split(/\W+/).join(" ");
const termsOf = ({ status, type, assignees = [], tags = [] }: Members): string =>
  [`status¦${status}`, `type¦${type}`, ...(assignees as string[]).map((name) => `assignees¦${name}`)]
    .concat((tags as string[]).map((tag) => `tags¦${tag}`))
    .join(" ");
const WHO = { username: "kmww7wumx6zt7r37", cause: { kind: "api_key", id: "kmww7wumx6zt7r37" } };

/** Groups writes of the same turns of the loop: committed together, and answered after their one flush. */
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

/** The rows that our creates and updates write, with the same indexes and the same flush. */
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
    const [id, epoch] = [newId("a"), Date.now() / 1000];
    logged.run(id, JSON.stringify({ action, record, ...WHO, id, epoch }), epoch);
    words.run("action", action, id, "keywords", WHO.username, id, "keywords", String(record["id"]), id);
  };
  return {
    create: (input) =>
      group(() => {
        const now = Math.floor(Date.now() / 1000);
        const num = Number(next.get()?.["value"]);
        const changes = [{ type: "change", username: WHO.username, date: now, key: "created" }];
        const ticket = {
          ...input,
          id: newId("t"),
          num,
          cc: [],
          notify: [],
          due: 0,
          changes,
          created: now,
          modified: now,
          ...WHO,
        };
        const { subject, body } = input;
        const texts = [wordsOf(subject), `${WHO.username} ${wordsOf(subject)} ${wordsOf(body)}`] as const;
        insert.run(ticket.id, JSON.stringify(ticket), num, now, now, ...texts, termsOf(input));
        note("ticket_create", ticket);
        return JSON.stringify({ code: 0, ticket });
      }),
    update: ({ id, subject }) =>
      group(() => {
        const now = Math.floor(Date.now() / 1000);
        const known = JSON.parse(String(read.get(String(id))?.["doc"])) as Members & {
          readonly changes: readonly Members[];
        };
        const made = { type: "change", username: WHO.username, date: now, key: "subject", value: subject };
        const ticket = { ...known, subject, changes: [...known.changes, made], modified: now };
        const texts = [wordsOf(subject), `${WHO.username} ${wordsOf(subject)} ${wordsOf(known["body"])}`] as const;
        const told = ticket.changes.map((one) => `${one["key"]} ${wordsOf(one["value"] ?? "")}`).join(" ");
        change.run(JSON.stringify(ticket), now, ...texts, told, String(id));
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
