import { isStorableId } from "../../search/index-values.ts";
import type { AnyCollection } from "./collection.ts";

/** A record as its stored JSON text. */
export interface StoredDocument {
  readonly id: string;
  readonly json: string;
}

/**
 * Returns the documents if they can be stored unchanged. Throws `TypeError` for an id that cannot be stored, and for a collection
 * that stores more than the texts of its records.
 */
export function requireDocuments(
  { name, resident, columns, terms, text }: AnyCollection,
  documents: readonly StoredDocument[],
): readonly StoredDocument[] {
  if (resident || columns || terms || text) throw new TypeError(`Collection ${name} keeps more than texts of records`);
  if (documents.some(({ id }) => !isStorableId(id))) throw new TypeError("The id of a document cannot be stored");
  return documents;
}
