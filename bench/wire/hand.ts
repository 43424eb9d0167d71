/**
 * The calls of `wire` by hand: `node:http` and the statements that each of them needs, over a copy of the store of the server
 * that is measured. Calls go without keys, rights, checks, word stems and mail, so they cost the least that such a call can cost.
 */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { createHandWrites } from "./hand-writes.ts";

type Input = Readonly<Record<string, string>>;
type Members = Record<string, unknown>;

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
const foundBy = {
  zanzibar: reader.prepare(`select seq from sb_tickets indexed by sb_tickets_narrow where seq in
    (select rowid from sb_tickets_text where sb_tickets_text match '{t_body} : ("zanzibar")') order by id desc limit ?`),
  "status:closed": reader.prepare(`select seq from sb_tickets where seq in (select rowid from sb_tickets_text where
    sb_tickets_text match '{k_terms} : ("status¦closed")' order by rowid desc limit ?) order by id desc`),
};
const places = (count: number): string => Array.from({ length: count }, () => "?").join();
const ROWS = 25;
const page = reader.prepare(`select seq, doc from sb_tickets where seq in (${places(ROWS)})`);
const sealedOf = reader.prepare("select doc from sb_secret_payloads where id = ?");

/** Answer of the server itself: definitions are in the memory of both. */
async function answerOf(operation: string): Promise<Members> {
  const response = await fetch(`${origin}/api/app/${operation}/v1`, { headers: { "x-api-key": apiKey } });
  return (await response.json()) as Members;
}
const kept = { get_tags: await answerOf("get_tags"), get_monitors: await answerOf("get_monitors") };

function search({ query = "" }: Input): string {
  const found = foundBy[decodeURIComponent(query) as keyof typeof foundBy];
  const seqs = found.all(ROWS).map(({ seq }) => Number(seq));
  const docs = new Map(page.all(...seqs).map(({ seq, doc }) => [Number(seq), String(doc)]));
  const rows = seqs.map((seq) => {
    const { body: _body, changes, ...row } = JSON.parse(docs.get(seq) ?? "") as Members;
    return { ...row, changes: (changes as readonly unknown[]).length };
  });
  return JSON.stringify({ code: 0, rows, list: { length: rows.length } });
}

const key = createSecretKey(randomBytes(32));
const IV = 12;
const TAG = 16;
function seal(text: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
}
function unseal(text: string): string {
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV));
  decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
  return decipher.update(bytes.subarray(IV + TAG), undefined, "utf8") + decipher.final("utf8");
}
const FIELDS = [
  { name: "LOAD_A", value: "value-a" },
  { name: "LOAD_B", value: "value-b" },
];
database.prepare("update sb_secret_payloads set doc = ?").run(seal(JSON.stringify(FIELDS)));

const reads: Readonly<Record<string, (input: Input) => string>> = {
  get_tags: () => JSON.stringify(kept.get_tags),
  get_monitors: () => JSON.stringify(kept.get_monitors),
  get_ticket: ({ id = "" }) => `{"code":0,"ticket":${docOf.get(id)?.["doc"]}}`,
  get_active_jobs: () => JSON.stringify({ code: 0, rows: activeJobs.all(), list: { length: 0 } }),
  search_tickets: search,
};
const commands: Readonly<Record<string, (input: Members) => Promise<string>>> = {
  create_ticket: writes.create,
  update_ticket: writes.update,
  async decrypt_secret({ id }) {
    const fields = unseal(String(sealedOf.get(String(id))?.["doc"]));
    await writes.note("secret_access", { id });
    return `{"code":0,"fields":${fields}}`;
  },
};

function answer(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

const server = createServer((request, response) => {
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const operation = path.split("/")[3] ?? "";
  if (request.method === "GET") {
    const input = Object.fromEntries(query.split("&").map((pair) => pair.split("=")));
    return answer(response, reads[operation]?.(input) ?? "");
  }
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (part: string) => {
    text += part;
  });
  request.on("end", async () => answer(response, (await commands[operation]?.(JSON.parse(text) as Members)) ?? ""));
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
