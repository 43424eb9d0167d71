import type { SqlText, TextIndex, WordEntries, WordQuery } from "@signalbox/adapters/kysely";
import { limitTo, sql } from "@signalbox/adapters/kysely";
import type { RawBuilder, SqlBool } from "kysely";

const textTable = (table: string): string => `${table}_text`;
const triggerName = (table: string, event: string): string => `${table}_text_${event}`;
const narrowName = (table: string): string => `${table}_narrow`;
const EVENTS = ["insert", "update", "delete"] as const;

/** Column for the words of a text field, joined by spaces. */
const textColumn = (field: string): string => `t_${field}`;
/** Column for the terms of all fields, each encoded as one word. */
const TERMS = "k_terms";
const columnsOf = (fields: readonly string[]): string[] => [...fields.map(textColumn), TERMS];

const names = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((column) => sql.id(column)));
const valuesOf = (row: "old" | "new", columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(["seq", ...columns].map((column) => sql.id(row, column)));

/** Row ids of the hits. */
const hits = (table: string, query: WordQuery): RawBuilder<unknown> =>
  sql`select rowid from ${sql.id(textTable(table))} where ${sql.id(textTable(table))} match ${expressionOf(query)}`;

const PAGE_BYTES = 500;

/**
 * One FTS5 table per collection over the columns that hold the words, maintained by triggers. The tokenizer `ascii` splits at
 * spaces only: it treats every character beyond ASCII as part of a word, in any version of Unicode.
 */
export const sqliteText: SqlText = {
  type: sql`text`,
  columnsOf,
  encode: ({ text, terms }) => ({
    ...Object.fromEntries(Object.entries(text).map(([field, words]) => [textColumn(field), words.join(" ")])),
    [TERMS]: termWords(terms).join(" "),
  }),
  canonical: (stored) => stored,
  clear: ({ table }) => [
    ...EVENTS.map((event) => sql`drop trigger if exists ${sql.id(triggerName(table, event))}`),
    sql`drop table if exists ${sql.id(textTable(table))}`,
    sql`drop index if exists ${sql.id(narrowName(table))}`,
  ],
  begin: ({ table, fields }) => [
    sql`create virtual table ${sql.id(textTable(table))} using fts5(${names(columnsOf(fields))},
      content=${sql.lit(table)}, content_rowid='seq', columnsize=0, tokenize="ascii tokenchars '_'")`,
    // FTS5 merges its segments within commits: 64 pages times the number of levels, and a whole level once it has 16 segments.
    // With its defaults, 15 of 4,000 commits of 50 records took 10 to 25 ms; with these settings none takes 8 ms, at the same
    // mean.
    sql`insert into ${sql.id(textTable(table))} (${sql.id(textTable(table))}, rank)
      values ('pgsz', ${sql.lit(PAGE_BYTES)}), ('automerge', 8), ('crisismerge', 64)`,
  ],
  add: ({ table, fields }, after, last) => [
    sql`insert into ${sql.id(textTable(table))} (rowid, ${names(columnsOf(fields))})
      select seq, ${names(columnsOf(fields))} from ${sql.id(table)} where seq > ${after} and seq <= ${last}`,
  ],
  end: (index) => [
    ...EVENTS.map((event) => createTrigger(index, event)),
    // A row with its document fills a page; this index holds the few numbers that sorting and comparing need.
    sql`create index ${sql.id(narrowName(index.table))} on ${sql.id(index.table)} (${names(["seq", "id", ...index.columns])})`,
  ],
  match: (table, query) => sql<SqlBool>`seq in (${hits(table, query)})`,
  probe: (table, query) =>
    sql<SqlBool>`exists (${hits(table, query)} and ${sql.id(textTable(table), "rowid")} = near.seq)`,
  // Drivers pass numbers as reals, with which FTS5 cannot seek into the middle of its list.
  within: (table, query, { low, high }) =>
    sql<SqlBool>`seq in (${hits(table, query)} and rowid between cast(${low} as integer) and cast(${high} as integer))`,
  last: (table, query, most) => sql`${hits(table, query)} order by rowid desc ${limitTo(most)}`,
  // Counts in the index alone: it has exactly the rows of the table.
  count: (table, query) => sql`select count(*) as total from (${hits(table, query)})`,
  // The record that lists the segments of the index; each flush adds a segment.
  version: (table) => sql`select hex(block) as version from ${sql.id(`${textTable(table)}_data`)} where id = 10`,
  narrow: (table) => sql`indexed by ${sql.id(narrowName(table))}`,
  walk: { most: 5000, unique: 400, probeCost: 100, columns: [] },
  indexFirst: (_session, work) => work(),
};

function createTrigger({ table, fields }: TextIndex, event: (typeof EVENTS)[number]): RawBuilder<unknown> {
  const columns = columnsOf(fields);
  const name = sql.id(textTable(table));
  const remove = sql`insert into ${name} (${name}, rowid, ${names(columns)}) values ('delete', ${valuesOf("old", columns)});`;
  const add = sql`insert into ${name} (rowid, ${names(columns)}) values (${valuesOf("new", columns)});`;
  const steps = { insert: add, delete: remove, update: sql`${remove} ${add}` }[event];
  const changed = columns.map((column) => sql`${sql.id("old", column)} is not ${sql.id("new", column)}`);
  // Most updates do not change the words.
  const when = event === "update" ? sql`when ${sql.join(changed, sql` or `)}` : sql``;
  return sql`create trigger ${sql.id(triggerName(table, event))} after ${sql.raw(event)} on ${sql.id(table)}
    ${when} begin ${steps} end`;
}

/** The FTS5 expression of a query: only quoted letters, digits, `_` and the two marks, in which FTS5 finds no syntax. */
function expressionOf(query: WordQuery): string {
  switch (query.kind) {
    case "text":
      return `{${textColumn(query.field)}} : (${query.phrases.map((phrase) => `"${phrase.join(" ")}"`).join(" OR ")})`;
    case "term":
      return `{${TERMS}} : (${termWords({ [query.field]: query.words })
        .map((word) => `"${word}"`)
        .join(" OR ")})`;
    case "and":
    case "or":
      return `(${query.parts.map(expressionOf).join(` ${query.kind.toUpperCase()} `)})`;
    case "but":
      return `(${expressionOf(query.part)} NOT ${expressionOf(query.not)})`;
  }
}

/** `status` and `on hold` become `status¦on¤20¤hold`: one word to the tokenizer, and no other term's. */
const termWords = (terms: WordEntries["terms"]): string[] =>
  Object.entries(terms).flatMap(([field, words]) => words.map((word) => `${oneWord(field)}¦${oneWord(word)}`));

const oneWord = (text: string): string =>
  text.replace(/[^a-z0-9_\u0080-\u{10FFFF}]|[¤¦]/gu, (mark) => `¤${mark.codePointAt(0)?.toString(16)}¤`);
