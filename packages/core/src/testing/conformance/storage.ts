import type { Storage } from "../../ports/storage/storage.ts";
import { neighbourCases, nodeCases } from "./nodes/storage-nodes.ts";
import { corpusCollection } from "./search/search-corpus.ts";
import { corpusCases } from "./search/storage-corpus.ts";
import { searchCases } from "./search/storage-search.ts";
import { atOnceCases } from "./storage/storage-at-once.ts";
import { collectionCases } from "./storage/storage-collections.ts";
import { labels, others, probes, type StorageCases, type StorageKit } from "./storage/storage-fixtures.ts";
import { historyCases } from "./storage/storage-history.ts";
import { queueCases } from "./storage/storage-queue.ts";
import { reopenCases } from "./storage/storage-reopen.ts";
import { textCases } from "./storage/storage-text.ts";
import { transactionCases } from "./storage/storage-transactions.ts";

/** The part of a test runner that the kit needs; both vitest and node:test fit. */
export interface ConformanceRunner {
  describe(name: string, body: () => void): unknown;
  test(name: string, body: () => Promise<void>): unknown;
}

/** Cases that a storage skips, and how to open it again. */
export interface StorageConformanceOptions {
  /** Cases that do not apply, each with the reason: `group > sentence`, or the name of a whole group. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
  /** Opens another storage on the data of a closed one. */
  readonly reopen?: (closed: Storage) => Promise<Storage>;
  /** Opens another storage on the data of an open one, as another process would; needed if several may share the data. */
  readonly beside?: (open: Storage) => Promise<Storage>;
}

const groups: Readonly<Record<string, StorageCases>> = {
  collections: collectionCases,
  "at once": atOnceCases,
  search: searchCases,
  text: textCases,
  corpus: corpusCases,
  transactions: transactionCases,
  reopen: reopenCases,
  work: queueCases,
  timeline: historyCases,
  nodes: nodeCases,
  neighbours: neighbourCases,
};

const COLLECTIONS = [probes, labels, others, corpusCollection];

/**
 * Checks a backend against the storage port, with any test runner. `open` returns an empty storage, not yet opened. Throws when a
 * skipped name is unknown, or when `reopen` is neither given nor skipped.
 */
export function storageConformance(
  runner: ConformanceRunner,
  open: () => Promise<Storage>,
  { skip = [], reopen, beside }: StorageConformanceOptions = {},
): void {
  const skipped = new Set(skip.map(({ test }) => test));
  for (const name of skipped) requireKnown(name);
  if (!reopen && !skipped.has("reopen")) throw new TypeError("Give `reopen`, or skip the group reopen with a reason");
  for (const [group, cases] of Object.entries(groups)) {
    if (skipped.has(group) || (cases === neighbourCases && !beside)) continue;
    runner.describe(group, () => {
      for (const [name, body] of Object.entries(cases))
        if (!skipped.has(`${group} > ${name}`)) runner.test(name, () => runCase(body, open, { reopen, beside }));
    });
  }
}

function requireKnown(name: string): void {
  const [group = "", test] = name.split(" > ", 2);
  const cases = groups[group];
  if (!cases || (test !== undefined && !Object.hasOwn(cases, test)))
    throw new TypeError(`The kit has no case to skip named ${name}`);
}

type WaysToOpen = { readonly [Name in "reopen" | "beside"]: StorageConformanceOptions[Name] };

async function runCase(
  body: (kit: StorageKit) => Promise<void>,
  open: () => Promise<Storage>,
  { reopen, beside }: WaysToOpen,
): Promise<void> {
  let current = await open();
  const neighbours: Storage[] = [];
  try {
    await current.open(COLLECTIONS);
    await body({
      storage: current,
      async reopen(collections) {
        if (!reopen) throw new TypeError("This backend has no way to reopen");
        await current.close();
        current = await reopen(current);
        await current.open([...collections, labels, others, corpusCollection]);
        return current;
      },
      ...(beside ? { beside: async () => openBeside(await beside(current), neighbours) } : {}),
    });
  } finally {
    for (const storage of [...neighbours, current]) await storage.close();
  }
}

async function openBeside(storage: Storage, opened: Storage[]): Promise<Storage> {
  opened.push(storage);
  await storage.open(COLLECTIONS);
  return storage;
}
