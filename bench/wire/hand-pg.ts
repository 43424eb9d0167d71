/**
 * The hand-written calls of `wire` on PostgreSQL: `node:http` and prepared statements of `pg`, in the tables of the measured
 * server. Statements of a call that do not depend on each other's results go out in one write, the commit with the last of them;
 * news of changes are sent every ten milliseconds. Without keys, rights, checks, word stems, mail and marks of neighbouring
 * words.
 */
import pg from "pg";
import { createHandSessions, statement } from "./hand-pg-session.ts";
import {
  compact,
  definitionsOf,
  type Input,
  type Members,
  type Operations,
  sealedFields,
  serve,
  unseal,
} from "./hand-serve.ts";
import { changedTicket, type MadeTicket, newTicket, noteOf, termsOf, textsOf } from "./hand-tickets.ts";

const [connectionString = "", origin = "", apiKey = ""] = process.argv.slice(2);
const SCHEMA = "signalbox";
const options = `-c search_path=${SCHEMA}`;
const sessions = createHandSessions({ connectionString, options });
/** Enforces the plans that ours uses for a search. */
const search = new pg.Pool({ connectionString, options: `${options} -c enable_seqscan=off -c enable_indexscan=off` });

const SECRETS = "by_hand_secrets";
await sessions.ask({ text: `create table ${SECRETS} as select id, '' as doc from sb_secret_payloads` });
await sessions.ask({ text: `update ${SECRETS} set doc = $1`, values: [sealedFields()] });

const docOf = statement("doc", "select doc::text as doc from sb_tickets where id = $1");
const lockedDocOf = statement("locked", "select doc::text as doc from sb_tickets where id = $1 for update");
const sealedOf = statement("sealed", `select doc from ${SECRETS} where id = $1`);
const activeJobs = statement("active", "select doc::text as doc from sb_active_jobs");
const next = statement("next", "update sb_counters set value = value + 1 where name = 'tickets.num' returning value");
const insert = statement(
  "insert",
  `insert into sb_tickets (id, revision, doc, c_num, c_created, c_modified, c_due, words)
    values ($1, 1, $2, $3, $4, $4, null, $5)`,
);
const change = statement(
  "change",
  "update sb_tickets set revision = revision + 1, doc = $2, c_modified = $3, words = $4 where id = $1",
);
const note = statement(
  "note",
  `with made as (insert into sb_activity (id, revision, doc, c_epoch) values ($1, 1, $2, $3))
    insert into sb_activity_terms (field, term, id) select field, term, $1 from unnest($4::text[], $5::text[]) as term (field, term)`,
);
const ROWS = 25;
const found = statement(
  "found",
  `with hit as materialized (select seq from sb_tickets where words @@ $1::tsquery order by id desc limit ${ROWS})
    select doc::text as doc from hit join sb_tickets using (seq) order by id desc`,
);
const QUERIES: Readonly<Record<string, string>> = { zanzibar: "'body/zanzibar'", "status:closed": "'status=closed'" };

/** Words with their places, and terms, as the text of a `tsvector`. */
function vectorOf(ticket: MadeTicket): string {
  const lexemes = termsOf(ticket).map(([field, term]) => `'${field}=${term}'`);
  for (const [field, text] of Object.entries(textsOf(ticket))) {
    const places = new Map<string, number[]>();
    for (const [index, word] of text.split(" ").entries()) {
      const known = places.get(word);
      if (known) known.push(index + 1);
      else places.set(word, [index + 1]);
    }
    for (const [word, at] of places) lexemes.push(`'${field}/${word}':${at.join()}`);
  }
  return lexemes.join(" ");
}

function noted(action: string, record: Members) {
  const { id, epoch, doc, terms } = noteOf(action, record);
  sessions.tell({ kind: "activity", id, record: record["id"] });
  return note(id, doc, epoch, ...[0, 1].map((at) => terms.map((term) => term[at])));
}

async function searchTickets({ query = "" }: Input): Promise<string> {
  const { rows } = await search.query(found(QUERIES[decodeURIComponent(query)]));
  const list = rows.map(({ doc }) => compact(doc));
  return JSON.stringify({ code: 0, rows: list, list: { length: list.length } });
}

const reads: Operations["reads"] = {
  ...(await definitionsOf(origin, apiKey)),
  get_ticket: async ({ id = "" }) => `{"code":0,"ticket":${(await sessions.ask(docOf(id))).rows[0]?.["doc"]}}`,
  get_active_jobs: async () =>
    JSON.stringify({ code: 0, rows: (await sessions.ask(activeJobs())).rows, list: { length: 0 } }),
  search_tickets: searchTickets,
};
const commands: Operations["commands"] = {
  create_ticket: (input) =>
    sessions.use(async (send) => {
      const [, counted] = await send("begin", next());
      const num = Number(counted?.rows[0]?.["value"]);
      const ticket = newTicket(input, num);
      const row = insert(ticket.id, JSON.stringify(ticket), num, ticket.created, vectorOf(ticket));
      await send(row, noted("ticket_create", ticket), "commit");
      return JSON.stringify({ code: 0, ticket });
    }),
  update_ticket: ({ id, subject }) =>
    sessions.use(async (send) => {
      const [, known] = await send("begin", lockedDocOf(id));
      const ticket = changedTicket(String(known?.rows[0]?.["doc"]), subject);
      const row = change(id, JSON.stringify(ticket), ticket.modified, vectorOf(ticket));
      await send(row, noted("ticket_update", ticket), "commit");
      return JSON.stringify({ code: 0, ticket });
    }),
  async decrypt_secret({ id }) {
    const { rows } = await sessions.ask(sealedOf(id));
    const fields = unseal(String(rows[0]?.["doc"]));
    await sessions.ask(noted("secret_access", { id }));
    return `{"code":0,"fields":${fields}}`;
  },
};

serve({ reads, commands });
