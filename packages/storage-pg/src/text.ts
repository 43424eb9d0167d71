import type { SqlText, TextCondition } from "@signalbox/adapters/kysely";
import { ENTRY_BREAK } from "@signalbox/core";
import { type SqlBool, sql } from "kysely";

/** One `tsvector` column per field, with words and places as the core gives them, each with a GIN index. */
export const pgText = (schema: string): SqlText => ({
  type: sql`tsvector`,
  encode: encodeWords,
  decode: decodeWords,
  begin: ({ table, columns }) =>
    columns.map((column) => sql`drop index if exists ${sql.id(schema, indexName(table, column))}`),
  add: () => [],
  end: ({ table, columns }) =>
    columns.map(
      (column) =>
        sql`create index ${sql.id(indexName(table, column))} on ${sql.id(schema, table)} using gin (${sql.id(column)})`,
    ),
  match: (_table, conditions, mode) => {
    const byColumn = Map.groupBy(conditions, ({ column }) => column);
    const parts = Array.from(byColumn, ([column, all]) => {
      const query = all.map(queryOf).join(mode === "and" ? " & " : " | ");
      return sql<SqlBool>`(${sql.id(column)} is not null and ${sql.id(column)} @@ ${query}::tsquery)`;
    });
    return sql<SqlBool>`(${sql.join(parts, sql.raw(` ${mode} `))})`;
  },
});

const indexName = (table: string, column: string): string => `${table}_${column}_txt`;

/** `'zip':1,4 'target':2`; a break takes a place and has no word. */
function encodeWords(words: string): string {
  const places = new Map<string, number[]>();
  for (const [index, word] of words.split(" ").entries()) {
    if (word === "" || word === ENTRY_BREAK) continue;
    const known = places.get(word);
    if (known) known.push(index + 1);
    else places.set(word, [index + 1]);
  }
  return Array.from(places, ([word, at]) => `'${word}':${at.join(",")}`).join(" ");
}

function decodeWords(stored: string): string {
  const words: string[] = [];
  for (const [, word = "", places = ""] of stored.matchAll(/'([^']*)':([\d,]+)/g))
    for (const place of places.split(",")) words[Number(place) - 1] = word;
  return Array.from(words, (word) => word ?? ENTRY_BREAK).join(" ");
}

const queryOf = ({ phrases }: TextCondition): string =>
  `(${phrases.map((phrase) => phrase.map((word) => `'${word}'`).join(" <-> ")).join(" | ")})`;
