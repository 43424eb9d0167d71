/**
 * A condition over the indexes of a collection, the same for every backend.
 *
 * `term` looks into the exact words declared as `terms`; `text` into the words declared as `text`; `compare` looks at a
 * declared column (or `id`). A comparison with `null` is true for records whose column is null, and only with the
 * operator `eq`.
 */
export type SearchNode =
  | { readonly kind: "all" }
  | { readonly kind: "none" }
  | { readonly kind: "and" | "or"; readonly nodes: readonly SearchNode[] }
  | { readonly kind: "not"; readonly node: SearchNode }
  /** True when the record carries at least one of `words` in the field. */
  | { readonly kind: "term"; readonly field: string; readonly words: readonly string[] }
  /** True when the field contains at least one of `phrases`: its words side by side, in this order. */
  | { readonly kind: "text"; readonly field: string; readonly phrases: readonly (readonly string[])[] }
  | {
      readonly kind: "compare";
      readonly field: string;
      readonly operator: "eq" | "lt" | "lte" | "gt" | "gte";
      readonly value: string | number | null;
    };

/** Every record. */
export const everything: SearchNode = { kind: "all" };
/** Condition that no record fulfils. */
export const nothing: SearchNode = { kind: "none" };
type Comparison = SearchNode & { readonly kind: "compare" };
const compare =
  (operator: Comparison["operator"]) =>
  (field: string, value: Comparison["value"]): SearchNode => ({ kind: "compare", field, operator, value });
/** Records whose column has this value. */
export const equal = compare("eq");
/** Records whose column is more. */
export const above = compare("gt");
/** Records whose column is equal or more. */
export const atLeast = compare("gte");
/** Records whose column is less. */
export const below = compare("lt");
/** Records whose column is equal or less. */
export const atMost = compare("lte");
/** Records after an id. */
export const afterId = (id: string): SearchNode => above("id", id);

/** Records that carry this word in a field, or at least one of these words. */
export const hasWord = (field: string, words: string | readonly string[]): SearchNode => ({
  kind: "term",
  field,
  words: typeof words === "string" ? [words] : words,
});

const joined = (kind: "and" | "or", nodes: readonly SearchNode[]): SearchNode =>
  nodes.length === 1 && nodes[0] ? nodes[0] : { kind, nodes };
/** Condition that every one of `nodes` holds. */
export const allOf = (nodes: readonly SearchNode[]): SearchNode => joined("and", nodes);
/** Condition that at least one of `nodes` holds. */
export const anyOf = (nodes: readonly SearchNode[]): SearchNode => joined("or", nodes);

type Term = SearchNode & { readonly kind: "term" };

/** The condition with each of its terms replaced. */
export async function withTerms(
  where: SearchNode,
  replace: (term: Term) => SearchNode | Promise<SearchNode>,
): Promise<SearchNode> {
  switch (where.kind) {
    case "not":
      return { kind: "not", node: await withTerms(where.node, replace) };
    case "and":
    case "or": {
      const nodes: SearchNode[] = [];
      for (const node of where.nodes) nodes.push(await withTerms(node, replace));
      return { kind: where.kind, nodes };
    }
    case "term":
      return replace(where);
    default:
      return where;
  }
}

/** Records that carry one of these words in a field; none when the list is empty. */
export const hasAnyOf = (field: string, words: readonly string[]): SearchNode =>
  words.length === 0 ? nothing : hasWord(field, words);
