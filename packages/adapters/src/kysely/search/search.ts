import type { AnyCollection, SearchNode } from "@signalbox/core/storage";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SqlDialect, WordQuery } from "../dialect.ts";
import { columnName, comparedValue, hasWordIndex } from "../indexes/index-values.ts";
import { tableRef } from "../statements.ts";
import { splitWords, unknownField } from "./words.ts";

export type Condition = RawBuilder<SqlBool>;
const always = sql<SqlBool>`1 = 1`;
const never = sql<SqlBool>`1 = 0`;

/** Queries the word index; by default for all hits. */
export type AskWords = (table: string, query: WordQuery) => Condition;

export interface Compiling {
  readonly dialect: SqlDialect;
  readonly definition: AnyCollection;
  readonly ask: AskWords;
}

/**
 * Spells a simplified condition in SQL. Every part is true or false, never unknown, so that `not` is exact.
 * Throws `TypeError` for a field that is not declared.
 */
export function compile(setting: Compiling, node: SearchNode): Condition {
  const { definition, ask } = setting;
  if (!hasWordIndex(definition)) return compileNode(setting, node);
  const { words, rest } = splitWords(node);
  if (words === undefined) return compileNode(setting, node);
  const found = ask(`sb_${definition.name}`, words);
  return rest.kind === "all" ? found : sql`(${found} and ${compileNode(setting, rest)})`;
}

function compileNode(setting: Compiling, node: SearchNode): Condition {
  switch (node.kind) {
    case "all":
      return always;
    case "none":
      return never;
    case "not":
      return sql`not (${compile(setting, node.node)})`;
    case "and":
      return joinConditions(conjunction(setting, node.nodes), "and");
    case "or":
      return joinConditions(parts(setting, node.nodes), "or");
    case "term":
      return compileTerm(setting, node);
    case "text":
      return setting.ask(`sb_${setting.definition.name}`, node);
    case "compare":
      return compileComparison(setting.definition, node);
  }
}

const parts = (setting: Compiling, nodes: readonly SearchNode[]): Condition[] =>
  nodes.map((node) => compile(setting, node));

/**
 * The first term of a conjunction finds records; each further term is looked up for each of them, because the list of all records
 * with that term may be long: one server has few alerts, but many alerts are active. A query is fastest when its first term
 * matches the fewest records.
 */
function conjunction(setting: Compiling, nodes: readonly SearchNode[]): Condition[] {
  const first = nodes.findIndex(({ kind }) => kind === "term");
  return nodes.map((node, index) =>
    node.kind === "term" && index > first && !hasWordIndex(setting.definition)
      ? lookUpTerm(setting, node)
      : compile(setting, node),
  );
}

/** Joins as a balanced tree: SQLite bounds the depth of an expression, and a chain is as deep as it is long. */
function joinConditions(conditions: readonly Condition[], word: "and" | "or"): Condition {
  const [first] = conditions;
  if (!first) return word === "and" ? always : never;
  if (conditions.length === 1) return first;
  const middle = conditions.length >> 1;
  const left = joinConditions(conditions.slice(0, middle), word);
  const right = joinConditions(conditions.slice(middle), word);
  return sql`(${left} ${sql.raw(word)} ${right})`;
}

type TermNode = SearchNode & { kind: "term" };

function compileTerm({ dialect, definition, ask }: Compiling, node: TermNode): Condition {
  if (hasWordIndex(definition)) return ask(`sb_${definition.name}`, node);
  const terms = tableRef(dialect, `sb_${definition.name}_terms`);
  return sql`id in (select id from ${terms} where field = ${node.field} and term in (${sql.join(node.words)}))`;
}

/** A condition on a term, for a record that has already been found. */
function lookUpTerm({ dialect, definition }: Compiling, { field, words }: TermNode): Condition {
  const [records, terms] = [`sb_${definition.name}`, `sb_${definition.name}_terms`].map((name) =>
    tableRef(dialect, name),
  );
  return sql`exists (select 1 from ${terms}
    where ${terms}.field = ${field} and ${terms}.term in (${sql.join(words)}) and ${terms}.id = ${records}.id)`;
}

const operators = { eq: sql`=`, lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` } as const;

function compileComparison(definition: AnyCollection, node: SearchNode & { kind: "compare" }): Condition {
  const column = columnRef(definition, node.field);
  if (node.value === null) return node.operator === "eq" ? sql`${column} is null` : never;
  const value = comparedValue(definition, node);
  if (value === null) return never;
  return sql`(${column} is not null and ${column} ${operators[node.operator]} ${value})`;
}

/** The database column of a declared column or of `id`. */
export function columnRef(definition: AnyCollection, field: string): RawBuilder<unknown> {
  if (field === "id") return sql.id("id");
  if (!definition.columns || !Object.hasOwn(definition.columns, field)) throw unknownField(definition, field);
  return sql.id(columnName(field));
}
