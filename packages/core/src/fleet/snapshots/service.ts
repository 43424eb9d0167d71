import type { Cradle } from "../../kernel/container.ts";
import { type Nightly, nightly } from "../../kernel/running/nightly.ts";
import { createGroupSnapshots, type GroupSnapshots } from "./services/group-snapshots.ts";
import { createLibrary, type SnapshotLibrary } from "./services/library.ts";
import { createTakeServerSnapshot, type TakeServerSnapshot } from "./services/server-snapshots.ts";
import { createWatches, type Watches } from "./services/watches.ts";

/** Takes, watches, keeps and deletes snapshots of servers and groups. */
export interface SnapshotService extends SnapshotLibrary {
  readonly takeServer: TakeServerSnapshot;
  readonly group: GroupSnapshots;
  readonly watches: Watches;
  readonly maintain: Nightly;
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
  const maintain = nightly(deps, async (now, signal) => {
    await watches.prune(now);
    await library.prune(now, signal);
  });
  return { ...library, takeServer, group, watches, maintain };
}
