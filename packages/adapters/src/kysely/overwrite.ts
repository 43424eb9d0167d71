import { requireDocuments, type StoredDocument } from "@signalbox/core";
import { sql } from "kysely";
import type { CollectionQueries } from "./collection-queries.ts";
import type { SqlSession } from "./dialect.ts";
import { type Prepared, prepare, slot } from "./statements.ts";

/** Documents per statement. */
const BATCH = 16;

/** One statement per number of documents, compiled when it is first needed. */
const compiled = new WeakMap<CollectionQueries, Prepared[]>();

/** Stores documents without looking at what is stored; a transaction that has read one of them notices nothing. */
export async function overwriteDocuments(
  queries: CollectionQueries,
  session: SqlSession,
  documents: readonly StoredDocument[],
): Promise<void> {
  requireDocuments(queries.definition, documents);
  for (let start = 0; start < documents.length; start += BATCH) {
    const batch = documents.slice(start, start + BATCH);
    await statementFor(queries, batch.length)(session, slotsOf(batch));
  }
}

function statementFor(queries: CollectionQueries, count: number): Prepared {
  const statements = compiled.get(queries) ?? [];
  compiled.set(queries, statements);
  statements[count] ??= compileFor(queries, count);
  return statements[count];
}

function compileFor({ db, table }: CollectionQueries, count: number): Prepared {
  const rows = Array.from(
    { length: count },
    (_unused, index) => sql`(${slot(`id${index}`)}, 1, ${slot(`doc${index}`)})`,
  );
  return prepare(
    db,
    sql`insert into ${table} as known (id, revision, doc) values ${sql.join(rows)}
      on conflict (id) do update set doc = excluded.doc, revision = known.revision + 1`,
  );
}

function slotsOf(documents: readonly StoredDocument[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [index, { id, json }] of documents.entries()) {
    values[`id${index}`] = id;
    values[`doc${index}`] = json;
  }
  return values;
}
