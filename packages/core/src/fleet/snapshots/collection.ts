import { defineCollection } from "../../ports/storage/collection.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import type { SnapshotPart, StoredSnapshot } from "./model.ts";

export const snapshotCollection = defineCollection<StoredSnapshot>({
  name: "snapshots",
  noun: "Snapshot",
  columns: {
    date: { type: "integer", read: ({ date }) => Math.floor(date) },
    key: { type: "text", unique: true, read: ({ key }) => key ?? null },
  },
  terms: {
    type: ({ type }) => [type],
    source: ({ source }) => [source],
    server: ({ server }) => (server === "" ? [] : [server]),
    groups: ({ groups }) => groups,
    alerts: ({ alerts }) => alerts,
    jobs: ({ jobs }) => jobs,
  },
});

/** Search fields of snapshots (docs/contract/search.md#fields). */
export const snapshotSearch: SearchTable = {
  fields: {
    type: { kind: "keyword" },
    source: { kind: "keyword" },
    server: { kind: "keyword" },
    groups: { kind: "keywords" },
    alerts: { kind: "keywords" },
    jobs: { kind: "keywords" },
    date: { kind: "hour" },
  },
  sorters: {},
};

/** Heavy halves of snapshots, in their own collection so that lists need not read them. */
export const snapshotPartCollection = defineCollection<SnapshotPart>({
  name: "snapshot_parts",
  noun: "Snapshot part",
});
