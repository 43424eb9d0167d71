import { isStorableId } from "../../search/index-values.ts";
import type { AnyCollection } from "./collection.ts";

/** A record as the JSON text that is stored. */
export interface StoredDocument {
  readonly id: string;
  readonly json: string;
}

/**
 * The documents, when they can be stored as they are. Throws `TypeError` for an id that cannot be stored and for a
 * collection of which more is kept than the texts of its records.
 */
export function requireDocuments(
  { name, resident, columns, terms, text }: AnyCollection,
  documents: readonly StoredDocument[],
): readonly StoredDocument[] {
  if (resident || columns || terms || text) throw new TypeError(`Collection ${name} keeps more than texts of records`);
  if (documents.some(({ id }) => !isStorableId(id))) throw new TypeError("The id of a document cannot be stored");
  return documents;
}
