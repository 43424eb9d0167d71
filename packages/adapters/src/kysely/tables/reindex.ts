import type { StoredRecord } from "@signalbox/core/storage";
import { sql } from "kysely";
import { type CollectionQueries, compileCollection } from "../collection/collection-queries.ts";
import { recordOf } from "../collection/documents.ts";
import { writeTerms } from "../collection/kysely-collection.ts";
import type { SqlRow, SqlSession } from "../dialect.ts";
import { databaseValues, hasTerms, ownTerms } from "../indexes/index-values.ts";
import { limitTo, prepare, runOnce, slot, tableRef } from "../statements.ts";
import { inTransaction, runAll, type Upgrade } from "./create.ts";

/** Records or terms per transaction. */
const BATCH = 500;

/** Writes the columns and terms of every record according to the declaration. */
export async function reindex(upgrade: Upgrade): Promise<void> {
  const { db, dialect, session, definition, text } = upgrade;
  const queries = compileCollection(db, dialect, definition);
  // Locks the records when reading them: nodes of the previous release may be writing, and outdated index entries would replace
  // newer ones.
  const batch = prepare(
    db,
    sql`select seq, id, ${dialect.documentText} as doc from ${queries.table}
      where seq > ${slot("after")} order by seq ${limitTo(BATCH)} ${dialect.locked}`,
  );
  const indexAfter = async (after: number): Promise<number | undefined> => {
    const { rows } = await batch(session, { after });
    for (const row of rows) await indexRecord(queries, session, recordOf(row));
    const last = Number(rows.at(-1)?.["seq"]);
    if (text && rows.length > 0) await runAll(upgrade, dialect.text.add(text, after, last));
    return rows.length === BATCH ? last : undefined;
  };
  for (let after: number | undefined = -1; after !== undefined; ) {
    const from: number = after;
    after = await untilWon(upgrade, () => indexAfter(from));
  }
}

const MOST_TRIES = 5;

/** Runs a step in its own transaction, and retries it if the database aborted it in favour of a writer. */
async function untilWon<R>(upgrade: Upgrade, step: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(upgrade, step);
    } catch (error) {
      if (tries === MOST_TRIES || !upgrade.dialect.isRace(error)) throw error;
    }
  }
}

async function indexRecord(queries: CollectionQueries, session: SqlSession, record: StoredRecord): Promise<void> {
  const values = databaseValues(queries.dialect, queries.definition, record);
  if (Object.keys(values).length > 0) await queries.reindex(session, { id: record.id, ...values });
  await writeTerms(queries, session, record.id, { add: ownTerms(queries.definition, record) });
}

/**
 * Removes terms that no longer belong to their record, or whose record is gone: nodes that did not know these terms left them
 * behind.
 */
export async function dropStaleTerms(upgrade: Upgrade): Promise<void> {
  const { definition, dialect } = upgrade;
  if (!hasTerms(definition)) return;
  const terms = tableRef(dialect, `sb_${definition.name}_terms`);
  for (let after: readonly unknown[] | undefined = ["", "", ""]; after !== undefined; ) {
    const from: readonly unknown[] = after;
    const page = sql`select field, term, id from ${terms} where (field, term, id) > (${sql.join(from)})
      order by field, term, id ${limitTo(BATCH)}`;
    after = await untilWon(upgrade, async () => {
      const { rows } = await runOnce(upgrade.db, upgrade.session, page);
      await dropStale(upgrade, rows);
      const last = rows.length === BATCH ? rows.at(-1) : undefined;
      return last && [last["field"], last["term"], last["id"]];
    });
  }
}

async function dropStale({ db, dialect, session, definition }: Upgrade, rows: readonly SqlRow[]): Promise<void> {
  if (rows.length === 0) return;
  const queries = compileCollection(db, dialect, definition);
  const ids = [...new Set(rows.map(({ id }) => id))];
  const found = await runOnce(
    db,
    session,
    sql`select id, ${dialect.documentText} as doc from ${queries.table} where id in (${sql.join(ids)}) ${dialect.locked}`,
  );
  const keyOf = (id: unknown, field: unknown, term: unknown): string => JSON.stringify([id, field, term]);
  const own = new Set(
    found.rows.flatMap((row) =>
      ownTerms(definition, recordOf(row)).map(({ field, term }) => keyOf(row["id"], field, term)),
    ),
  );
  for (const { id, field, term } of rows)
    if (!own.has(keyOf(id, field, term)))
      await writeTerms(queries, session, String(id), { remove: [{ field: String(field), term: String(term) }] });
}
