import type { BlobStore } from "../../ports/storage/blob-store.ts";
import { contentCases, keyCases } from "./blobs/blob-store-contents.ts";
import { listCases, moveCases } from "./blobs/blob-store-keys.ts";
import type { ConformanceRunner } from "./storage.ts";

/** Test name → body; the name is a sentence. */
export type BlobStoreCases = Readonly<Record<string, (store: BlobStore) => Promise<void>>>;

const groups: Readonly<Record<string, BlobStoreCases>> = {
  contents: contentCases,
  keys: keyCases,
  lists: listCases,
  moves: moveCases,
};

/**
 * Checks a blob store against its port, with any test runner. `open` returns an empty store for each case; `close` receives it
 * afterwards. A store without `move` passes the cases of that group.
 */
export function blobStoreConformance(
  { describe, test }: ConformanceRunner,
  open: () => Promise<BlobStore>,
  close: (store: BlobStore) => Promise<void> = async () => undefined,
): void {
  for (const [group, cases] of Object.entries(groups))
    describe(group, () => {
      for (const [name, body] of Object.entries(cases))
        test(name, async () => {
          const store = await open();
          try {
            await body(store);
          } finally {
            await close(store);
          }
        });
    });
}
