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

type Deps = Pick<
  Cradle,
  | ("activeJobs" | "clock" | "config" | "definitions" | "ids" | "jobInbox" | "log" | "monitors" | "servers")
  | ("snapshot" | "state" | "transact")
>;

export function createSnapshots(deps: Deps): SnapshotService {
  const takeServer = createTakeServerSnapshot(deps);
  const group = createGroupSnapshots(deps);
  const watches = createWatches(deps, { takeServer, group });
  const library = createLibrary(deps);
  return { ...library, takeServer, group, watches, maintain: createMaintain(deps, { library, watches }) };
}
