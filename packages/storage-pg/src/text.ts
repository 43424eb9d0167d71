import type { SqlSession, SqlText, WordEntries, WordQuery } from "@signalbox/adapters/kysely";
import { sql } from "@signalbox/adapters/kysely";
import { ENTRY_BREAK } from "@signalbox/core/storage";
import type { RawBuilder, SqlBool } from "kysely";

/** Holds the words of all text fields and all terms: one index answers queries for several of them. */
const COLUMN = "words";
const indexName = (table: string): string => `${table}_words_txt`;

/**
 * One `tsvector` column with words, places and terms as the core gives them, and a GIN index over it. `body/lamp` is a
 * word of a text, `status=open` a term, and `+1k3` a mark of two neighbours.
 */
export function pgText(schema: string): SqlText {
  const match = (_table: string, query: WordQuery): RawBuilder<SqlBool> =>
    sql<SqlBool>`${sql.id(COLUMN)} @@ ${queryOf(query)}::tsquery`;
  return {
    type: sql`tsvector not null default ''`,
    columnsOf: () => [COLUMN],
    encode: (entries) => ({ [COLUMN]: vectorOf(entries) }),
    canonical: (stored) =>
      [...stored.matchAll(LEXEME)]
        .map(([lexeme]) => lexeme)
        .sort()
        .join(" "),
    clear: ({ table }) => [sql`drop index if exists ${sql.id(schema, indexName(table))}`],
    begin: ({ table }) => [
      // Moves words and documents out of the row: hits are counted over the rows, which are then a tenth as large.
      sql`alter table ${sql.id(schema, table)} set (toast_tuple_target = 128)`,
      // Uncompressed: places are compared in the words of each hit, which would have to be unpacked.
      sql`alter table ${sql.id(schema, table)} alter column ${sql.id(COLUMN)} set storage external`,
    ],
    add: () => [],
    end: ({ table }) => [
      sql`create index ${sql.id(indexName(table))} on ${sql.id(schema, table)} using gin (${sql.id(COLUMN)})`,
    ],
    match,
    probe: match,
    within: match,
    count: (table, query) => sql`select count(*) as total from ${sql.id(schema, table)} where ${match(table, query)}`,
    narrow: () => sql``,
    walk: { most: 1000, unique: 1000, probeCost: Number.POSITIVE_INFINITY, columns: [COLUMN] },
    indexFirst,
  };
}

/**
 * Makes the planner use the index. It knows the cost of rows, not that of fetching and comparing their words, so it scans the
 * whole table for frequent words, which takes twenty times as long. Restores earlier settings, also in a host's transaction.
 */
async function indexFirst<R>(session: SqlSession, work: () => Promise<R>): Promise<R> {
  const { rows } = await session.run(FORCE, []);
  const result = await work();
  await session.run(RESTORE, [rows[0]?.["seq"], rows[0]?.["index"], rows[0]?.["memory"]]);
  return result;
}

const FORCE = {
  kept: true,
  sql: `with before as materialized (select current_setting('enable_seqscan') as seq,
      current_setting('enable_indexscan') as index, current_setting('work_mem') as memory)
    select before.*, set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
      set_config('work_mem', '64MB', true) from before`,
};
const RESTORE = {
  kept: true,
  sql: `select set_config('enable_seqscan', $1, true), set_config('enable_indexscan', $2, true),
    set_config('work_mem', $3, true)`,
};

/** Matches a written lexeme with its places. */
const LEXEME = /'(?:[^'\\]|''|\\.)*'(?::[\d,]+)?/g;
const quote = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, "$&$&")}'`;
const termLexeme = (field: string, term: string): string => quote(`${field}=${term}`);
const wordLexeme = (field: string, word: string): string => quote(`${field}/${word}`);

/** Such as `'body/zip':1,4 'body/target':2`; a break takes a place and has no word. */
function vectorOf({ text, terms }: WordEntries): string {
  const lexemes: string[] = [];
  for (const [field, words] of Object.entries(text)) lexemes.push(...placedWords(field, words));
  for (const [field, words] of Object.entries(terms)) lexemes.push(...words.map((word) => termLexeme(field, word)));
  return lexemes.join(" ");
}

function placedWords(field: string, words: readonly string[]): string[] {
  const places = new Map<string, number[]>();
  const pairs = new Set<string>();
  for (const [index, word] of words.entries()) {
    if (word === ENTRY_BREAK || word === "") continue;
    const known = places.get(word);
    if (known) known.push(index + 1);
    else places.set(word, [index + 1]);
    const next = words[index + 1];
    if (next !== undefined && next !== ENTRY_BREAK) pairs.add(pairMark(field, word, next));
  }
  return [...Array.from(places, ([word, at]) => `${wordLexeme(field, word)}:${at.join(",")}`), ...pairs];
}

function queryOf(query: WordQuery): string {
  switch (query.kind) {
    case "text":
      return `(${query.phrases.map((phrase) => phraseQuery(query.field, phrase)).join(" | ")})`;
    case "term":
      return `(${query.words.map((word) => termLexeme(query.field, word)).join(" | ")})`;
    case "and":
    case "or":
      return `(${query.parts.map(queryOf).join(query.kind === "and" ? " & " : " | ")})`;
    case "but":
      return `(${queryOf(query.part)} & !${queryOf(query.not)})`;
  }
}

/**
 * The index stores no places. With marks of neighbours it leaves a few hundred hits to check, where words alone would leave all.
 */
function phraseQuery(field: string, phrase: readonly string[]): string {
  const words = phrase.map((word) => wordLexeme(field, word)).join(" <-> ");
  const pairs = phrase.slice(1).map((word, index) => pairMark(field, phrase[index] ?? "", word));
  return pairs.length === 0 ? words : `(${[...new Set(pairs)].join(" & ")} & (${words}))`;
}

/** One of 65,536 marks. Two pairs may share one, since the places decide; more marks would make the index much larger. */
function pairMark(field: string, word: string, next: string): string {
  let hash = 2_166_136_261;
  const text = `${field} ${word} ${next}`;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return `'+${((hash ^ (hash >>> 16)) & 0xffff).toString(36)}'`;
}
