import type { CollectionDefinition, StoredRecord } from "../../ports/storage/collection.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";
import { afterId, allOf, everything, type SearchNode } from "../../search/ast.ts";

interface Walk {
  /** Which records to read; absent = all. */
  readonly where?: SearchNode;
  /** Most records per page. */
  readonly size: number;
  /** Id after which the walk starts. */
  readonly after?: string;
}

type Read = <R>(work: (tx: ReadTx) => Promise<R>) => Promise<R>;

/**
 * Pages of records by id; the first page that is not full is the last. Each page starts after the last id of the previous one,
 * not at an offset, because records appear, disappear and leave the result while they are processed. `read` gives each page its
 * own snapshot.
 */
export async function* pagesById<T extends StoredRecord>(
  read: Read,
  collection: CollectionDefinition<T>,
  { where = everything, size, after = "" }: Walk,
): AsyncGenerator<readonly T[]> {
  for (let last: string | undefined = after; last !== undefined; ) {
    const rest = allOf([where, afterId(last)]);
    const { rows }: { rows: readonly T[] } = await read((tx) =>
      tx.collection(collection).find(rest, { sortBy: "id", limit: size }),
    );
    yield rows;
    last = rows.length < size ? undefined : rows.at(-1)?.id;
  }
}

/** Records by id, read in pages. */
export async function* recordsById<T extends StoredRecord>(
  ...walk: Parameters<typeof pagesById<T>>
): AsyncGenerator<T> {
  for await (const rows of pagesById(...walk)) yield* rows;
}
