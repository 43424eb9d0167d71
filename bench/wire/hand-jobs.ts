import type { DatabaseSync } from "node:sqlite";
import { createGroups } from "./hand-writes.ts";

type Members = Readonly<Record<string, unknown>>;

export interface HandJobs {
  /** Sets the targets of the only event. */
  setEvent(targets: readonly string[]): void;
  /** Resolves to the id of the job once it is stored, then sends the job. */
  run(): Promise<string>;
  /** Called when an agent reports that a job has ended. */
  end(id: string): void;
  readonly active: number;
}

type Send = (server: string, message: object) => void;

const EVENT = "byhand";
const NOW = (): number => Date.now() / 1000;
let serial = 0;
const newId = (): string => `j${Date.now().toString(36)}${(serial++).toString(36).padStart(7, "0")}`;
const places = (count: number): string => Array.from({ length: count }, () => "(?, ?, ?)").join();

/** Members that a job has only after its end. */
const AT_THE_END = ["completed", "elapsed", "code", "description", "complete", "progress", "final", "tags", "pid"];

/**
 * The job that the measured server stored last: hand-written rows have the same members, the same length and as many terms. So
 * the server must have run some jobs before.
 */
function lastJob(database: DatabaseSync) {
  const row = database.prepare("select id, doc from sb_jobs order by seq desc limit 1").get();
  if (!row) throw new Error("The measured server has stored no job that could be taken for a pattern");
  const terms = database.prepare("select field, term from sb_jobs_terms where id = ?").all(String(row["id"]));
  const job = JSON.parse(String(row["doc"])) as Members;
  const begun = Object.fromEntries(Object.entries(job).filter(([name]) => !AT_THE_END.includes(name)));
  return { job, begun, terms: terms.map(({ field, term }) => [String(field), String(term)] as const) };
}

const activeTerms = (id: string, server: string): string[] =>
  [
    ["event", EVENT],
    ["scope", EVENT],
    ["server", server],
    ["state", "active"],
  ].flatMap((term) => [...term, id]);

function prepareJobs(database: DatabaseSync, termCount: number) {
  const prepare = (sql: string) => database.prepare(sql);
  return {
    insert: prepare(`insert into sb_active_jobs (id, revision, doc, c_launched, c_started, c_until, c_updated)
      values (?, 1, ?, ?, ?, null, ?)`),
    insertTerms: prepare(`insert into sb_active_jobs_terms (field, term, id) values ${places(4)}`),
    finish: prepare("insert into sb_jobs (id, revision, doc, c_completed, c_elapsed) values (?, 1, ?, ?, ?)"),
    finishTerms: prepare(`insert into sb_jobs_terms (field, term, id) values ${places(termCount)}`),
    remove: prepare("delete from sb_active_jobs where id = ?"),
    removeTerms: prepare(`delete from sb_active_jobs_terms where (field, term, id) in (values ${places(4)})`),
    history: prepare(`insert into sb_event_history (id, revision, doc) values ('${EVENT}', 1, ?)
      on conflict (id) do update set doc = excluded.doc, revision = revision + 1`),
  };
}

/** Runs one job from the request to its stored end, with the rows and the two flushes of ours, cycling through its targets. */
export function createHandJobs(database: DatabaseSync, send: Send): HandJobs {
  const { job, begun, terms } = lastJob(database);
  const group = createGroups(database);
  const sql = prepareJobs(database, terms.length);
  const active = new Map<string, { readonly server: string; readonly started: number }>();
  const history = { robin: 0, total_count: 0 };
  let servers: readonly string[] = [];
  const note = (members: object): void => void sql.history.run(JSON.stringify({ id: EVENT, ...history, ...members }));
  return {
    get active() {
      return active.size;
    },
    setEvent(targets) {
      servers = targets;
    },
    async run() {
      const [id, started] = [newId(), NOW()];
      const server = servers[history.robin++ % servers.length] ?? "";
      const sent = { ...begun, id, event: EVENT, server, started, state: "active" };
      await group(() => {
        sql.insert.run(id, JSON.stringify({ id, job: sent, launched: started }), started, started, started);
        sql.insertTerms.run(...activeTerms(id, server));
        note({});
        return "";
      });
      active.set(id, { server, started });
      send(server, { cmd: "launch_job", data: { job: sent, details: {}, sec: {} } });
      return id;
    },
    end(id) {
      const { server = "", started = 0 } = active.get(id) ?? {};
      const completed = NOW();
      const ended = { ...job, id, event: EVENT, server, started, completed, elapsed: completed - started };
      void group(() => {
        sql.finish.run(id, JSON.stringify(ended), completed, completed - started);
        sql.finishTerms.run(...terms.flatMap((term) => [...term, id]));
        sql.remove.run(id);
        sql.removeTerms.run(...activeTerms(id, server));
        history.total_count += 1;
        note({ last_job: id, last_code: 0, last_completed: completed });
        return "";
      }).then(() => active.delete(id));
    },
  };
}
