/**
 * The hand-written calls of `wire`: `node:http` and the statements that each needs, over a copy of the measured server's store.
 * Without keys, rights, checks, word stems and mail, so that a call costs the least possible.
 */
import { DatabaseSync } from "node:sqlite";
import { compact, definitionsOf, type Input, type Operations, sealedFields, serve, unseal } from "./hand-serve.ts";
import { createHandWrites } from "./hand-writes.ts";

const [store = "", copy = "", origin = "", apiKey = ""] = process.argv.slice(2);
new DatabaseSync(store, { readOnly: true }).exec(`vacuum into '${copy}'`);
const database = new DatabaseSync(copy);
database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -12800");
database.exec("pragma wal_autocheckpoint = 4000; pragma temp_store = memory");
const reader = new DatabaseSync(copy);
reader.exec("pragma query_only = 1; pragma cache_size = -3200");
const writes = createHandWrites(database);

const docOf = reader.prepare("select doc from sb_tickets where id = ?");
const activeJobs = reader.prepare("select doc from sb_active_jobs");
/** With a bare `limit ?`, SQLite would compile the statement again for each run. */
const last = "limit cast(? as integer)";
const foundBy = {
  zanzibar: reader.prepare(`select seq from sb_tickets indexed by sb_tickets_narrow where seq in
    (select rowid from sb_tickets_text where sb_tickets_text match '{t_body} : ("zanzibar")') order by id desc ${last}`),
  "status:closed": reader.prepare(`select seq from sb_tickets where seq in (select rowid from sb_tickets_text where
    sb_tickets_text match '{k_terms} : ("status¦closed")' order by rowid desc ${last}) order by id desc`),
};
const places = (count: number): string => Array.from({ length: count }, () => "?").join();
const ROWS = 25;
const page = reader.prepare(`select seq, doc from sb_tickets where seq in (${places(ROWS)})`);
const sealedOf = reader.prepare("select doc from sb_secret_payloads where id = ?");

function search({ query = "" }: Input): string {
  const found = foundBy[decodeURIComponent(query) as keyof typeof foundBy];
  const seqs = found.all(ROWS).map(({ seq }) => Number(seq));
  const docs = new Map(page.all(...seqs).map(({ seq, doc }) => [Number(seq), String(doc)]));
  const rows = seqs.map((seq) => compact(docs.get(seq) ?? ""));
  return JSON.stringify({ code: 0, rows, list: { length: rows.length } });
}

database.prepare("update sb_secret_payloads set doc = ?").run(sealedFields());

const reads: Operations["reads"] = {
  ...(await definitionsOf(origin, apiKey)),
  get_ticket: ({ id = "" }) => `{"code":0,"ticket":${docOf.get(id)?.["doc"]}}`,
  get_active_jobs: () => JSON.stringify({ code: 0, rows: activeJobs.all(), list: { length: 0 } }),
  search_tickets: search,
};
const commands: Operations["commands"] = {
  create_ticket: writes.create,
  update_ticket: writes.update,
  async decrypt_secret({ id }) {
    const fields = unseal(String(sealedOf.get(String(id))?.["doc"]));
    await writes.note("secret_access", { id });
    return `{"code":0,"fields":${fields}}`;
  },
};

serve({ reads, commands });
