/**
 * Kind of a field, by which it is read and compared (docs/contract/search.md#text, docs/contract/search.md#fields).
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
   * Declared column (number, hour, day), terms (words, keyword, keywords) or text (text) of the collection; default:
   * the field's name.
   */
  readonly index?: string;
  /** Names: every run of other characters is one `_`. */
  readonly alphanum?: boolean;
  /** Markup of `text` that is removed before words are read. */
  readonly markup?: "markdown" | "html";
  /** Characters of one of the `words`; longer ones are not indexed; default 128. */
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
