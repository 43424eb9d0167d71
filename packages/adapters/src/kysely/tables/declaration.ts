import type { AnyCollection } from "@signalbox/core/storage";
import { hasWordIndex } from "../indexes/index-values.ts";

/** The members of a collection on which its tables depend. */
export interface Declaration {
  readonly columns: Readonly<Record<string, { readonly type: string; readonly unique: boolean }>>;
  readonly terms: readonly string[];
  readonly text: readonly string[];
  /** Version of the word index's format; a different number rebuilds the index. */
  readonly words?: number;
}

/** A declaration as it is stored with its tables. */
export interface StoredDeclaration extends Declaration {
  /**
   * Nodes that still wrote by the previous declaration when records were indexed by this one. Their rows lack this declaration's
   * columns and terms, so all records are indexed again once these nodes are gone.
   */
  readonly beside?: readonly string[];
}

const WORD_INDEX = 1;
export const noDeclaration: Declaration = { columns: {}, terms: [], text: [] };

export function declarationOf(definition: AnyCollection): Declaration {
  const columns = Object.entries(definition.columns ?? {})
    .map(([name, { type, unique = false }]) => [name, { type: type === "text" ? "text" : "real", unique }] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    columns: Object.fromEntries(columns),
    terms: Object.keys(definition.terms ?? {}).sort(),
    text: Object.keys(definition.text ?? {}).sort(),
    ...(hasWordIndex(definition) ? { words: WORD_INDEX } : {}),
  };
}

/** Unprefixed table names that no collection may use: the fixed tables of all storages, so that a plugin works with each. */
const FIXED_TABLES: ReadonlySet<string> = new Set([
  ...["changes", "collections", "counters", "database", "mail", "nodes", "offices", "owner", "rates", "work"],
  ...["history_chunks", "history_journal", "history_series", "history_shapes"],
  // The old format of history, which a migration reads.
  ...["series", "timeline"],
]);
const MAX_IDENTIFIER = 63;

/** Throws `TypeError` for names that are unsuitable for tables, columns or indexes. */
export function checkDefinitions(definitions: readonly AnyCollection[]): void {
  const seen = new Set<string>();
  for (const definition of definitions) {
    checkNames(definition);
    if (seen.has(definition.name)) throw new TypeError(`Two collections are named ${definition.name}`);
    seen.add(definition.name);
  }
}

/** Suffixes of auxiliary tables. SQLite stores a text index in several. */
const BESIDE = /_(?:terms|text(?:_(?:data|idx|content|docsize|config))?)$/;

function checkNames({ name, columns = {}, text = {} }: AnyCollection): void {
  const clash = FIXED_TABLES.has(name) || BESIDE.test(name) || name.startsWith("migrations");
  if (clash || !/^[a-z][a-z0-9_]*$/.test(name))
    throw new TypeError(`A collection cannot be named ${JSON.stringify(name)}`);
  const refuse = (kind: string, field: string): never => {
    throw new TypeError(`Collection ${name}: a ${kind} cannot be named ${JSON.stringify(field)}`);
  };
  const isGood = (field: string, indexed: string): boolean =>
    /^[A-Za-z][A-Za-z0-9_]*$/.test(field) && indexName(name, indexed, "key").length <= MAX_IDENTIFIER;
  for (const column of Object.keys(columns)) if (!isGood(column, column)) refuse("column", column);
  for (const field of Object.keys(text)) if (!isGood(field, `t_${field}`)) refuse("text field", field);
}

export const indexName = (collection: string, column: string, kind: "idx" | "key"): string =>
  `sb_${collection}_${column}_${kind}`;
