import type { AnyCollection } from "../../ports/storage/collection.ts";
import { allOf, anyOf, equal, everything, nothing, type SearchNode } from "../ast.ts";
import {
  comparisonOf,
  isReadable,
  isTyped,
  keepsWords,
  type Leaf,
  leafOf,
  type NamedField,
  type ReadDate,
} from "./fields.ts";
import { SearchError } from "./search-error.ts";
import { ID, type Part, splitParts } from "./simple-form.ts";
import { type Group, type Item, isGroup, parseStructured } from "./structured-form.ts";
import type { SearchTable } from "./table.ts";

const MAX_LENGTH = 10_000;
const MAX_VALUES = 1000;
/** Most conditions in one query to a storage. */
const MAX_CONDITIONS = 250;
/** Backends compare phrases place by place in every record. */
const MAX_PHRASE = 100;
const MAX_WORDS = 1000;

export interface ParsedSearch {
  readonly node: SearchNode;
  /** Why a part of the query was left out; undefined = all of it was understood. */
  readonly dropped?: string;
}

export interface SearchSetting {
  readonly table: SearchTable;
  readonly collection: Pick<AnyCollection, "text">;
  readonly readDate: ReadDate;
}

/**
 * Parses a query of either form into a condition (docs/contract/search.md#simple-form, docs/contract/search.md#structured-form).
 * Blank text finds nothing. Throws `SearchError` for a structured query that cannot be parsed and for a query that is too long.
 */
export function parseSearch(text: string, setting: SearchSetting): ParsedSearch {
  const query = text.trim();
  if (query.length > MAX_LENGTH) throw new SearchError("The query is too long");
  if (query === "*") return { node: everything };
  const parsed = query.startsWith("(") && query.endsWith(")") ? structured(query, setting) : simple(query, setting);
  const texts = textsOf(parsed.node).flatMap(({ phrases }) => phrases);
  if (texts.some((phrase) => phrase.length > MAX_PHRASE)) throw new SearchError("A phrase of the query is too long");
  if (countConditions(parsed.node) > MAX_CONDITIONS || texts.flat().length > MAX_WORDS)
    throw new SearchError("The query has too many parts");
  return parsed;
}

function textsOf(node: SearchNode): (SearchNode & { kind: "text" })[] {
  if (node.kind === "not") return textsOf(node.node);
  if (node.kind === "and" || node.kind === "or") return node.nodes.flatMap(textsOf);
  return node.kind === "text" ? [node] : [];
}

function countConditions(node: SearchNode): number {
  if (node.kind === "not") return countConditions(node.node);
  if (node.kind !== "and" && node.kind !== "or") return 1;
  return node.nodes.reduce((sum, part) => sum + countConditions(part), 0);
}

/**
 * Collects the parts of a group: a record matches all positive ones (or one of them, in an OR group) and none of the negative
 * ones.
 */
function createGroup(mode: "and" | "or") {
  const positive: SearchNode[] = [];
  const negative: SearchNode[] = [];
  const known = new Set<string>();
  return {
    /** Deduplicates conditions. */
    add(node: SearchNode, isNegative: boolean): void {
      const key = `${isNegative} ${JSON.stringify(node)}`;
      if (!known.has(key)) (isNegative ? negative : positive).push(node);
      known.add(key);
    },
    /** Condition of the group; without a positive part it matches nothing, as there is nothing to exclude from. */
    end(): SearchNode {
      if (positive.length === 0) return nothing;
      const found = mode === "and" ? positive : [anyOf(positive)];
      return allOf(negative.length === 0 ? found : [...found, { kind: "not", node: anyOf(negative) }]);
    },
  };
}

function simple(query: string, { table, collection, readDate }: SearchSetting): ParsedSearch {
  const fieldOf = lookupOf(table, collection);
  const parts = splitParts(query, (name) => fieldOf(name) !== undefined);
  if (parts.reduce((sum, { values }) => sum + values.length, 0) > MAX_VALUES)
    throw new SearchError("The query has too many parts");
  const group = createGroup("and");
  let dropped: string | undefined = parts.length === 0 ? "The query is empty" : undefined;
  for (const { part, field } of assignFields(parts, { table, fieldOf, readDate })) {
    const { leaf, isWhole } = partLeaf(part, field, readDate);
    if (leaf === "unreadable") return { node: nothing, dropped: `Not a range: ${part.values.join(" | ")}` };
    if (!isWhole) dropped ??= notUnderstood(part.field ?? field?.name, part.values);
    if (leaf) group.add(leaf, part.negative);
  }
  return { node: group.end(), ...(dropped === undefined ? {} : { dropped }) };
}

const notUnderstood = (field: string | undefined, values: readonly string[]): string =>
  `Not understood: ${field === undefined ? "" : `${field} `}${values.join(" | ")}`;

interface PartLeaf {
  readonly leaf: Leaf;
  /** True when every alternative means something. */
  readonly isWhole: boolean;
}

function partLeaf({ field: prefix, values }: Part, field: NamedField | undefined, readDate: ReadDate): PartLeaf {
  if (prefix === ID) return { leaf: anyOf(values.map((id) => equal("id", id))), isWhole: true };
  if (!field) return { leaf: undefined, isWhole: false };
  const leaf = leafOf(field, values, readDate);
  const isWhole = values.length < 2 || values.every((value) => leafOf(field, [value], readDate) !== undefined);
  return { leaf, isWhole: leaf !== undefined && isWhole && values.every((value) => keepsWords(field, value)) };
}

type Lookup = (name: string) => NamedField | undefined;

type Texts = SearchSetting["collection"];
/** Cached, since tables are declared once, each for one collection: making the lookup was most of the cost of a short query. */
const lookups = new WeakMap<SearchTable, { readonly collection: Texts; readonly lookup: Lookup }>();

function lookupOf(table: SearchTable, collection: Texts): Lookup {
  const known = lookups.get(table);
  if (known?.collection === collection) return known.lookup;
  const lookup = createLookup(table, collection);
  lookups.set(table, { collection, lookup });
  return lookup;
}

function createLookup({ fields }: SearchTable, { text = {} }: Texts): Lookup {
  const byName = new Map(
    Object.entries(fields).map(([name, field]) => {
      const index = field.index ?? name;
      const isText = field.kind === "text" || (field.kind === "words" && Object.hasOwn(text, index));
      return [name.toLowerCase(), { ...field, name, index, isText }];
    }),
  );
  return (name) => byName.get(name.toLowerCase());
}

interface Assigned {
  readonly part: Part;
  /** Undefined = unknown field: the part is left out. */
  readonly field: NamedField | undefined;
}

/**
 * Assigns a field to each part: the last one written, as long as it can take the part
 * (docs/contract/search.md#parts-without-a-field).
 */
function assignFields(
  parts: readonly Part[],
  { table, fieldOf, readDate }: { readonly table: SearchTable; readonly fieldOf: Lookup; readonly readDate: ReadDate },
): Assigned[] {
  const initial = table.defaultField === undefined ? undefined : fieldOf(table.defaultField);
  const fallback = initial?.kind === "text" || initial?.kind === "words" ? initial : undefined;
  const assigned: Assigned[] = [];
  let current = initial;
  for (const part of parts) {
    if (part.field !== undefined && part.field !== ID) current = fieldOf(part.field);
    const isWritten = part.field !== undefined || !current || !fallback;
    const stays = isWritten || takes(current, part, assigned.at(-1), readDate);
    assigned.push({ part, field: stays ? current : fallback });
  }
  return assigned;
}

function takes(field: NamedField | undefined, part: Part, before: Assigned | undefined, readDate: ReadDate): boolean {
  if (!field) return true;
  if (isTyped(field)) return isReadable(field, part.values, readDate);
  if (field.kind !== "keyword") return true;
  return part.negative && before?.part.negative === true && before.field === field;
}

function structured(query: string, { table, collection, readDate }: SearchSetting): ParsedSearch {
  const fieldOf = lookupOf(table, collection);
  let dropped: string | undefined;
  const itemOf = ({ field: name, operator, value }: Item): SearchNode | undefined => {
    const field = fieldOf(name);
    if (!field) throw new SearchError(`Unknown field: ${name}`);
    const leaf = comparisonOf(field, operator === "!~" ? "=" : operator, value, readDate);
    const isRead = leaf !== undefined && leaf !== "unreadable";
    if (!isRead || !keepsWords(field, value)) dropped ??= notUnderstood(name, [value]);
    return isRead ? leaf : undefined;
  };
  const groupOf = ({ mode, items }: Group): SearchNode => {
    const group = createGroup(mode);
    for (const item of items) {
      const node = isGroup(item) ? groupOf(item) : itemOf(item);
      if (node) group.add(node, !isGroup(item) && item.operator === "!~");
    }
    return group.end();
  };
  const node = groupOf(parseStructured(query));
  return { node, ...(dropped === undefined ? {} : { dropped }) };
}
