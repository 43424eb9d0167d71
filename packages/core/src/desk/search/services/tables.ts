import { activityCollection, activityTable } from "../../../directory/activity/collection.ts";
import { invocationCollection, invocationSearch } from "../../../fleet/alerts/collection.ts";
import { serverCollection, serverSearch } from "../../../fleet/servers/collection.ts";
import { publicServer } from "../../../fleet/servers/rules/public.ts";
import { snapshotCollection, snapshotSearch } from "../../../fleet/snapshots/collection.ts";
import { pruned } from "../../../fleet/snapshots/rules/halves.ts";
import type { CollectionDefinition } from "../../../ports/collection.ts";
import type { SearchTable } from "../../../search/table.ts";
import { jobCollection, jobSearch } from "../../../work/jobs/collection.ts";
import { ticketCollection, ticketSearch } from "../../tickets/collection.ts";

type Members = Readonly<Record<string, unknown>>;

/** A table that queries may be asked of by its name. */
export interface NamedTable {
  // biome-ignore lint/suspicious/noExplicitAny: a list of tables of different records is heterogeneous by nature
  readonly collection: CollectionDefinition<any>;
  readonly table: SearchTable;
  /** Code of errors about queries. */
  readonly code: string;
  readonly adminOnly: boolean;
  /** A record as callers see it. */
  readonly show: (record: never) => Members;
}

const plain = (record: Members): Members => record;
const db = { code: "db", adminOnly: false, show: plain };

export const TABLES: ReadonlyMap<string, NamedTable> = new Map([
  ["jobs", { ...db, collection: jobCollection, table: jobSearch }],
  ["tickets", { ...db, collection: ticketCollection, table: ticketSearch, code: "ticket" }],
  ["servers", { ...db, collection: serverCollection, table: serverSearch, show: shownServer }],
  ["alerts", { ...db, collection: invocationCollection, table: invocationSearch }],
  ["snapshots", { ...db, collection: snapshotCollection, table: snapshotSearch, show: pruned as never }],
  ["activity", { ...db, collection: activityCollection, table: activityTable, adminOnly: true }],
]);

/** What is connected is not stored, so it is no column. */
function shownServer(server: never): Members {
  const { online: _online, ...members } = publicServer(server, { online: false });
  return members;
}
