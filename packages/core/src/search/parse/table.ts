/**
 * Kind of a field, which decides how it is parsed and compared (docs/contract/search.md#text, docs/contract/search.md#fields).
 */
export type FieldKind =
  /** Full text, stemmed. */
  | "text"
  /** Words of plain text (`keywords`), not stemmed. */
  | "words"
  /** Exact words: one value, or many. */
  | "keyword"
  | "keywords"
  | "number"
  /** Unix seconds, compared by the hour. */
  | "hour"
  /** Unix seconds, compared by the calendar day. */
  | "day";

export interface SearchField {
  readonly kind: FieldKind;
  /**
   * Column (number, hour, day), terms (words, keyword, keywords) or text (text) that the collection declares; default: the
   * field's name.
   */
  readonly index?: string;
  /** For names: each run of other characters becomes one `_`. */
  readonly alphanum?: boolean;
  /** Markup that is removed from `text` before words are read. */
  readonly markup?: "markdown" | "html";
  /** Longest of the `words`, in characters; longer ones are not indexed; default 128. */
  readonly maxLength?: number;
}

/** Fields that queries of one table may name. */
export interface SearchTable {
  readonly fields: Readonly<Record<string, SearchField>>;
  /** Field of parts without a prefix; absent = such leading parts are ignored. */
  readonly defaultField?: string;
  /** Sorter id → declared column; `_id` is always there. */
  readonly sorters: Readonly<Record<string, string>>;
}
