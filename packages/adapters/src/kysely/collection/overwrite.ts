import { settleAll } from "@signalbox/core/adapter";
import { requireDocuments, type StoredDocument } from "@signalbox/core/storage";
import { sql } from "kysely";
import type { SqlResult, SqlSession } from "../dialect.ts";
import { type PreparedList, place, prepareList } from "../statements.ts";
import type { CollectionQueries } from "./collection-queries.ts";

/** Documents per statement. */
const BATCH = 16;

/** One statement per number of documents, compiled on first use. */
const compiled = new WeakMap<CollectionQueries, PreparedList[]>();

/** Replaces documents without reading the old ones. A transaction that has read an old one gets no conflict. */
export async function overwriteDocuments(
  queries: CollectionQueries,
  session: SqlSession,
  documents: readonly StoredDocument[],
): Promise<void> {
  requireDocuments(queries.definition, documents);
  const running: Promise<SqlResult>[] = [];
  for (let start = 0; start < documents.length; start += BATCH) {
    const batch = documents.slice(start, start + BATCH);
    running.push(statementFor(queries, batch.length)(session, valuesOf(batch)));
  }
  // Sent without waiting in between: over a network each would cost a round trip.
  await settleAll(running);
}

function statementFor(queries: CollectionQueries, count: number): PreparedList {
  const statements = compiled.get(queries) ?? [];
  compiled.set(queries, statements);
  statements[count] ??= compileFor(queries, count);
  return statements[count];
}

function compileFor({ db, table }: CollectionQueries, count: number): PreparedList {
  const rows = Array.from({ length: count }, () => sql`(${place}, 1, ${place})`);
  return prepareList(
    db,
    sql`insert into ${table} as known (id, revision, doc) values ${sql.join(rows)}
      on conflict (id) do update set doc = excluded.doc, revision = known.revision + 1`,
  );
}

const valuesOf = (documents: readonly StoredDocument[]): string[] => documents.flatMap(({ id, json }) => [id, json]);
