import type { AnyCollection, SearchNode } from "@signalbox/core";
import { indexText, isWord, normaliseValue } from "@signalbox/core";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SqlDialect, TextCondition } from "./dialect.ts";
import { columnName, textColumn } from "./index-values.ts";
import { tableRef } from "./statements.ts";

type Condition = RawBuilder<SqlBool>;
const always = sql<SqlBool>`1 = 1`;
const never = sql<SqlBool>`1 = 0`;

/**
 * Spells a condition in SQL. Every part is true or false, never unknown, so that `not` is exact.
 * Throws `TypeError` for a field that is not declared.
 */
export function compileSearch(dialect: SqlDialect, definition: AnyCollection, node: SearchNode): Condition {
  switch (node.kind) {
    case "all":
      return always;
    case "none":
      return never;
    case "not":
      return sql`not (${compileSearch(dialect, definition, node.node)})`;
    case "and":
    case "or":
      return compileGroup(dialect, definition, node);
    case "term":
      return compileTerm(dialect, definition, node);
    case "text":
      return compileTexts(dialect, definition, [node], "and");
    case "compare":
      return compileComparison(definition, node);
  }
}

/** Joins as a balanced tree: SQLite bounds the depth of an expression, and a chain is as deep as it is long. */
function joinConditions(parts: readonly Condition[], word: "and" | "or"): Condition {
  const [first] = parts;
  if (!first) return word === "and" ? always : never;
  if (parts.length === 1) return first;
  const middle = parts.length >> 1;
  const left = joinConditions(parts.slice(0, middle), word);
  const right = joinConditions(parts.slice(middle), word);
  return sql`(${left} ${sql.raw(word)} ${right})`;
}

function compileTerm(dialect: SqlDialect, definition: AnyCollection, node: SearchNode & { kind: "term" }): Condition {
  if (!definition.terms || !Object.hasOwn(definition.terms, node.field)) throw unknownField(definition, node.field);
  const words = [...new Set(node.words.map(indexText))];
  if (words.length === 0) return never;
  const table = tableRef(dialect, `sb_${definition.name}_terms`);
  return sql`id in (select id from ${table} where field = ${node.field} and term in (${sql.join(words)}))`;
}

type TextNode = SearchNode & { kind: "text" };
const isText = (node: SearchNode): node is TextNode => node.kind === "text";

/** Texts of one group are looked for at once: a list of matches for each would cost seconds. */
function compileGroup(
  dialect: SqlDialect,
  definition: AnyCollection,
  { kind, nodes }: SearchNode & { kind: "and" | "or" },
): Condition {
  const texts = nodes.filter(isText);
  const others = nodes.filter((node) => !isText(node)).map((part) => compileSearch(dialect, definition, part));
  const parts = texts.length === 0 ? others : [compileTexts(dialect, definition, texts, kind), ...others];
  return kind === "and" ? joinConditions(parts, "and") : joinConditions(parts, "or");
}

function compileTexts(
  dialect: SqlDialect,
  definition: AnyCollection,
  nodes: readonly TextNode[],
  mode: "and" | "or",
): Condition {
  const conditions = nodes.map(({ field, phrases }): TextCondition => {
    if (!definition.text || !Object.hasOwn(definition.text, field)) throw unknownField(definition, field);
    const possible = phrases.filter((phrase) => phrase.length > 0 && phrase.every(isWord));
    return { column: textColumn(field), phrases: possible };
  });
  const possible = conditions.filter(({ phrases }) => phrases.length > 0);
  if (possible.length === 0 || (mode === "and" && possible.length < conditions.length)) return never;
  return dialect.text.match(`sb_${definition.name}`, possible, mode);
}

const operators = { eq: sql`=`, lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` } as const;

function compileComparison(definition: AnyCollection, node: SearchNode & { kind: "compare" }): Condition {
  const column = columnRef(definition, node.field);
  if (node.value === null) return node.operator === "eq" ? sql`${column} is null` : never;
  const type = node.field === "id" ? "text" : (definition.columns?.[node.field]?.type ?? "text");
  const value = normaliseValue(type, node.value);
  if (value === null) return never;
  return sql`(${column} is not null and ${column} ${operators[node.operator]} ${value})`;
}

/** The database column of a declared column or of `id`. */
export function columnRef(definition: AnyCollection, field: string): RawBuilder<unknown> {
  if (field === "id") return sql.id("id");
  if (!definition.columns || !Object.hasOwn(definition.columns, field)) throw unknownField(definition, field);
  return sql.id(columnName(field));
}

const unknownField = (definition: AnyCollection, field: string): TypeError =>
  new TypeError(`Collection ${definition.name} declares no index named ${field}`);
