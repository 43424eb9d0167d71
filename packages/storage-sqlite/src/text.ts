import type { SqlText, TextCondition, TextIndex } from "@signalbox/adapters/kysely";
import { type RawBuilder, type SqlBool, sql } from "kysely";

const textTable = (table: string): string => `${table}_text`;
const triggerName = (table: string, event: string): string => `${table}_text_${event}`;
const EVENTS = ["insert", "update", "delete"] as const;

const names = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((column) => sql.id(column)));
const valuesOf = (row: "old" | "new", columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(["seq", ...columns].map((column) => sql.id(row, column)));

/**
 * One FTS5 table per collection over the columns that hold the words, kept by triggers. The tokenizer `ascii` splits at
 * blanks and nowhere else: to it every character beyond ASCII is part of a word, whatever version of Unicode it knows.
 */
export const sqliteText: SqlText = {
  type: sql`text`,
  encode: (words) => words,
  decode: (stored) => stored,
  begin: ({ table, columns }) => [
    ...EVENTS.map((event) => sql`drop trigger if exists ${sql.id(triggerName(table, event))}`),
    sql`drop table if exists ${sql.id(textTable(table))}`,
    sql`create virtual table ${sql.id(textTable(table))} using fts5(${names(columns)},
      content=${sql.lit(table)}, content_rowid='seq', columnsize=0, tokenize="ascii tokenchars '_'")`,
  ],
  add: ({ table, columns }, after, last) => [
    sql`insert into ${sql.id(textTable(table))} (rowid, ${names(columns)})
      select seq, ${names(columns)} from ${sql.id(table)} where seq > ${after} and seq <= ${last}`,
  ],
  end: (index) => EVENTS.map((event) => createTrigger(index, event)),
  // By the id, as all other conditions: with two lists of keys the planner would try every pair.
  match: (table, conditions, mode) =>
    sql<SqlBool>`id in (select id from ${sql.id(table)} where seq in (select rowid from ${sql.id(textTable(table))}
      where ${sql.id(textTable(table))} match ${conditions.map(expressionOf).join(` ${mode.toUpperCase()} `)}))`,
};

function createTrigger({ table, columns }: TextIndex, event: (typeof EVENTS)[number]): RawBuilder<unknown> {
  const name = sql.id(textTable(table));
  const remove = sql`insert into ${name} (${name}, rowid, ${names(columns)}) values ('delete', ${valuesOf("old", columns)});`;
  const add = sql`insert into ${name} (rowid, ${names(columns)}) values (${valuesOf("new", columns)});`;
  const steps = { insert: add, delete: remove, update: sql`${remove} ${add}` }[event];
  const changed = columns.map((column) => sql`${sql.id("old", column)} is not ${sql.id("new", column)}`);
  // Most updates leave the words alone.
  const when = event === "update" ? sql`when ${sql.join(changed, sql` or `)}` : sql``;
  return sql`create trigger ${sql.id(triggerName(table, event))} after ${sql.raw(event)} on ${sql.id(table)}
    ${when} begin ${steps} end`;
}

const expressionOf = ({ column, phrases }: TextCondition): string =>
  `{${column}} : (${phrases.map((phrase) => `"${phrase.join(" ")}"`).join(" OR ")})`;
