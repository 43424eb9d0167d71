import type { AnyCollection, SearchNode } from "@signalbox/core";
import { indexText, normaliseValue } from "@signalbox/core";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SqlDialect } from "./dialect.ts";
import { columnName } from "./index-values.ts";
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
    case "or": {
      const parts = node.nodes.map((part) => compileSearch(dialect, definition, part));
      return node.kind === "and" ? joinConditions(parts, "and") : joinConditions(parts, "or");
    }
    case "term":
      return compileTerm(dialect, definition, node);
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
