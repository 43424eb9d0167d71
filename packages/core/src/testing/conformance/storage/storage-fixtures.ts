import { defineCollection, type StoredRecord } from "../../../ports/storage/collection.ts";
import type { ReadTx, Storage, WriteTx } from "../../../ports/storage/storage.ts";
import type { WorkItem } from "../../../ports/storage/work.ts";
import { analyseText } from "../../../search/text/analyse-text.ts";

/** A record with every kind of index. */
export interface Probe extends StoredRecord {
  readonly title: string;
  readonly rank: number | null;
  /** Unique when present. */
  readonly code?: string;
  readonly tags?: readonly string[];
  /** Words of a text, as they are indexed. */
  readonly words?: readonly string[];
  readonly extra?: unknown;
}

export const probes = defineCollection<Probe>({
  name: "conformance_probes",
  noun: "Probe",
  columns: {
    title: { type: "text", read: (probe) => probe.title },
    rank: { type: "real", read: (probe) => probe.rank },
    code: { type: "text", unique: true, read: (probe) => probe.code ?? null },
  },
  terms: { tags: (probe) => probe.tags ?? [] },
  text: { words: (probe) => probe.words ?? [] },
});

/** The declaration in a later version, with one more column, term and text for the same documents. */
export const laterProbes = defineCollection<Probe>({
  ...probes,
  columns: { ...probes.columns, size: { type: "integer", read: (probe) => probe.title.length } },
  terms: { ...probes.terms, initial: (probe) => [probe.title.slice(0, 1)] },
  text: { ...probes.text, title: (probe) => analyseText(probe.title) },
});

export const others = defineCollection<StoredRecord>({ name: "conformance_others", noun: "Other" });

/** A collection with terms but without texts, which backends index in another way. */
export const labels = defineCollection<Label>({
  name: "conformance_labels",
  noun: "Label",
  columns: { rank: { type: "real", read: ({ rank }) => rank } },
  terms: { words: ({ words }) => words },
});
export type Label = { id: string; readonly rank: number; readonly words: readonly string[] };

export const probe = (id: string, over: Partial<Probe> = {}): Probe => ({ id, title: `Title ${id}`, rank: 1, ...over });

export interface StorageKit {
  /** Opened with `probes`, `others` and the tickets of the search corpus; empty. */
  readonly storage: Storage;
  /** Closes the storage and opens another one on the same data. */
  reopen(collections: readonly (typeof probes)[]): Promise<Storage>;
  /** Opens another storage on the same data; absent if the backend has none. */
  beside?(): Promise<Storage>;
}

/** Test name → body; the name is a sentence. */
export type StorageCases = Readonly<Record<string, (kit: StorageKit) => Promise<void>>>;

export const inserted = (storage: Storage, ...records: readonly Probe[]): Promise<void> =>
  storage.write(async (tx) => {
    for (const record of records) await tx.collection(probes).insert(record);
  });

export const readProbe = (storage: Storage, id: string): Promise<Probe | undefined> =>
  storage.read((tx) => tx.collection(probes).get(id));

export const changeProbe = (storage: Storage, id: string, change: (current: Probe) => Probe): Promise<Probe> =>
  storage.write((tx) => tx.collection(probes).update(id, change));

export const listIds = async (tx: ReadTx | WriteTx): Promise<string> =>
  (await tx.collection(probes).list()).map(({ id }) => id).join(" ");

/** Texts in the order of their UTF-8 bytes: in UTF-16 order the last two would be swapped. */
export const oddTexts = ["", "B", "a", "b", "é", "ﬃ", "😀"];

export const claimAll = (storage: Storage): Promise<WorkItem[]> =>
  storage.work.claim({ node: "n", kinds: ["conformance"], limit: 100, now: 1e12, leaseSec: 60 });
