import { createHash, randomBytes } from "node:crypto";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { Hono } from "hono";
import { Kysely, SqliteDialect } from "kysely";
import pg from "pg";
import * as z from "zod";
import { KEY, TAG } from "./contenders.ts";

export interface Made {
  readonly id: string;
  readonly created: number;
}

let counter = 0;
export const newTag = (sent: object): Made => {
  const id = `t${Date.now().toString(36)}${(counter++).toString(36).padStart(7, "0")}`;
  return Object.assign({}, sent, { id, username: "bench", created: 1, modified: 1, revision: 1 });
};

export const activityOf = (tag: Made): string =>
  JSON.stringify({ action: "tag_create", tag, ip: "127.0.0.1", ips: ["127.0.0.1"], headers: {} });

const TABLES =
  "create table tags (id text primary key, doc text); create table activity (id text primary key, doc text)";

/** Hand-written routes without any database: no keys, no checks, no activity log. */
export function bareRoutes(): Hono {
  return new Hono()
    .get("/nothing", (context) => context.json({ code: 0 }))
    .get("/tag", (context) => context.json({ code: 0, tag: TAG }))
    .post("/tag", async (context) => context.json({ code: 0, tag: newTag(await context.req.json()) }));
}

function openFile(filename: string): DatabaseSync {
  const database = new DatabaseSync(filename);
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  return database;
}

/** Hand-written prepared statements; a write is two inserts in one transaction. */
export function bareSqlite(filename: string): Hono {
  const database = openFile(filename);
  database.exec(TABLES);
  const insertTag = database.prepare("insert into tags values (?, ?)");
  const insertActivity = database.prepare("insert into activity values (?, ?)");
  const selectTag = database.prepare("select doc from tags where id = ?");
  insertTag.run(TAG.id, JSON.stringify(TAG));
  return new Hono()
    .get("/tag", (context) => {
      const row = selectTag.get(context.req.query("id") ?? "");
      return context.json({ code: 0, tag: JSON.parse(String(row?.["doc"])) });
    })
    .post("/tag", async (context) => {
      const made = newTag(await context.req.json());
      database.exec("begin immediate");
      insertTag.run(made.id, JSON.stringify(made));
      insertActivity.run(made.id, activityOf(made));
      database.exec("commit");
      return context.json({ code: 0, tag: made });
    });
}

/** Hand-written routes on a connection pool to PostgreSQL. */
export async function barePostgres(connectionString: string): Promise<Hono> {
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query(TABLES);
  await pool.query("insert into tags values ($1, $2)", [TAG.id, JSON.stringify(TAG)]);
  return new Hono()
    .get("/tag", async (context) => {
      const values = [context.req.query("id") ?? ""];
      const { rows } = await pool.query({ name: "get", text: "select doc from tags where id = $1", values });
      return context.json({ code: 0, tag: JSON.parse(rows[0].doc) });
    })
    .post("/tag", async (context) => {
      const made = newTag(await context.req.json());
      const client = await pool.connect();
      try {
        await client.query("begin");
        const tagValues = [made.id, JSON.stringify(made)];
        await client.query({ name: "tag", text: "insert into tags values ($1, $2)", values: tagValues });
        const values = [made.id, activityOf(made)];
        await client.query({ name: "activity", text: "insert into activity values ($1, $2)", values });
        await client.query("commit");
      } finally {
        client.release();
      }
      return context.json({ code: 0, tag: made });
    });
}

interface Tables {
  readonly tags: { id: string; doc: string };
  readonly activity: { id: string; doc: string };
}

const Tag = z.looseObject({ title: z.string().regex(/\S/), icon: z.string().optional(), notes: z.string().optional() });

/** Kysely's own dialect, which prepares each statement again and asks it whether it returns rows. */
function stockKysely(database: DatabaseSync): Kysely<Tables> {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
      run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
      iterate: (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[])),
    };
  };
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } }) });
}

/**
 * The service as it is usually written: looks the key up by its hash, checks the body, uses one Kysely transaction per request
 * and random ids (the "one transaction per request" of goal P8).
 */
export function usualSqlite(filename: string): Hono {
  const database = openFile(filename);
  database.exec(TABLES);
  const db = stockKysely(database);
  const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
  const keys = new Map([[hashOf(KEY), { id: "k1", privileges: { create_tags: true } }]]);
  return new Hono().post("/tag", async (context) => {
    const caller = keys.get(hashOf(context.req.header("x-api-key") ?? ""));
    if (!caller?.privileges.create_tags) return context.json({ code: "session" }, 403);
    const made = { ...newTag(Tag.parse(await context.req.json())), id: randomBytes(12).toString("hex") };
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto("tags")
        .values({ id: made.id, doc: JSON.stringify(made) })
        .execute();
      const id = randomBytes(12).toString("hex");
      await trx
        .insertInto("activity")
        .values({ id, doc: activityOf(made) })
        .execute();
    });
    return context.json({ code: 0, tag: made });
  });
}
