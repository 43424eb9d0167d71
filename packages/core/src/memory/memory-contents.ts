import type { Blob } from "./memory-blob-store.ts";
import { type CommittedTables, createTables } from "./tables/tables.ts";

/** What a storage and a blob store in memory hold. */
export interface MemoryContents {
  readonly tables: CommittedTables;
  readonly blobs: Map<string, Blob>;
}

export const newContents = (): MemoryContents => ({ tables: createTables(), blobs: new Map() });

/** A copy that changes independently. */
export const copyOf = ({ tables, blobs }: MemoryContents): MemoryContents => ({
  tables: tables.copy(),
  blobs: new Map(blobs),
});
