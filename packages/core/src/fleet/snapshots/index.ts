import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { snapshotCollection, snapshotPartCollection, snapshotSearch } from "./collection.ts";
import type { snapshotsRetention } from "./config.ts";
import type { SnapshotEvents } from "./events.ts";
import { getSnapshot } from "./operations/read.ts";
import { searchSnapshots } from "./operations/search.ts";
import { createGroupSnapshot, createSnapshot, deleteSnapshot } from "./operations/take.ts";
import { watchGroup, watchServer } from "./operations/watch.ts";
import { pruned } from "./rules/halves.ts";
import { createSnapshots, type SnapshotService } from "./service.ts";
import { snapshotAction } from "./services/action.ts";
import { SWEEP_KIND, sweepParts } from "./services/group-snapshots.ts";
import { DROP_KIND, dropSnapshots, removeSnapshot } from "./services/library.ts";
import { snapshotTransfer } from "./transfer.ts";

declare module "../../kernel/config/config.ts" {
  interface RetentionConfig extends ConfigOf<typeof snapshotsRetention> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends SnapshotEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly snapshots: SnapshotService;
  }
}

/** Registered before the servers, so that last minutes which arrive during a stop still become snapshots. */
export const snapshots = definePlugin({
  id: "snapshots",
  after: ["auth", "activity", "state", "jobs", "groups", "monitors", "alerts"],
  collections: [snapshotCollection, snapshotPartCollection],
  transfer: snapshotTransfer,
  searchTables: {
    snapshots: { collection: snapshotCollection, table: snapshotSearch, show: pruned as never, remove: removeSnapshot },
  },
  operations: [
    createSnapshot,
    createGroupSnapshot,
    deleteSnapshot,
    getSnapshot,
    searchSnapshots,
    watchServer,
    watchGroup,
  ],
  actionTypes: { snapshot: snapshotAction },
  services: { snapshots: createSnapshots },
  workers: { [SWEEP_KIND]: sweepParts, [DROP_KIND]: dropSnapshots },
  loops: [
    {
      name: "snapshots.groups",
      everySec: 30,
      on: "leader",
      run: (now, cradle, signal) => cradle.snapshots.watches.groups(now, signal),
    },
    {
      name: "snapshots.maintenance",
      everySec: 60,
      on: "leader",
      run: (now, cradle, signal) => cradle.snapshots.maintain(now, signal),
    },
  ],
  on: {
    "server.minute": ({ id }, cradle) => cradle.snapshots.watches.minute(id),
  },
  maintenance: {
    "Watches and snapshots": (now, { snapshots: service }, signal) => service.maintain(now, signal, true),
  },
  stop: (cradle) => cradle.snapshots.watches.idle(),
});
