import type { Cradle } from "../../kernel/container.ts";
import { createGroupSnapshots, type GroupSnapshots } from "./services/group-snapshots.ts";
import { createLibrary, type SnapshotLibrary } from "./services/library.ts";
import { createMaintain, type Maintain } from "./services/maintenance.ts";
import { createTakeServerSnapshot, type TakeServerSnapshot } from "./services/server-snapshots.ts";
import { createWatches, type Watches } from "./services/watches.ts";

/** Snapshots of servers and groups: taking, watching, keeping and forgetting. */
export interface SnapshotService extends SnapshotLibrary {
  readonly takeServer: TakeServerSnapshot;
  readonly group: GroupSnapshots;
  readonly watches: Watches;
  readonly maintain: Maintain;
}

export function createSnapshots(cradle: Cradle): SnapshotService {
  const takeServer = createTakeServerSnapshot(cradle);
  const group = createGroupSnapshots(cradle);
  const watches = createWatches(cradle, { takeServer, group });
  const library = createLibrary(cradle);
  return { ...library, takeServer, group, watches, maintain: createMaintain(cradle, { library, watches }) };
}
