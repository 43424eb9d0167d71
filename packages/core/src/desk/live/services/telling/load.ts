import type { Activity } from "../../../../directory/activity/model.ts";
import { activityRecords } from "../../../../directory/activity/records.ts";
import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import type { Server } from "../../../../fleet/servers/model.ts";
import { serverRecords } from "../../../../fleet/servers/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { byId } from "../../../../lib/by-id.ts";
import type { CollectionDefinition, StoredRecord } from "../../../../ports/storage/collection.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import type { Job } from "../../../../work/jobs/model.ts";
import { activeJobRecords, jobRecords } from "../../../../work/jobs/records.ts";
import { pruned } from "../../../../work/jobs/rules/filters.ts";
import type { Ticket } from "../../../tickets/model.ts";
import { ticketRecords } from "../../../tickets/records.ts";
import type { Change } from "../../model.ts";

type Found<T> = ReadonlyMap<string, T>;

/** The current records that changes are about; deleted ones are left out. */
export interface Facts {
  readonly servers: Found<Server>;
  readonly tickets: Found<Ticket>;
  /** Running jobs without their details, final jobs without their large members. */
  readonly jobs: Found<Job>;
  readonly activity: Found<Activity>;
  /** Live invocations; undefined when none has changed. */
  readonly alerts: readonly Invocation[] | undefined;
}

/** Maximum live invocations to send; a caller that needs more must search for them. */
const MAX_ALERTS = 1000;

type Deps = Pick<Cradle, "jobs" | "snapshot">;

/** Loads the records in one snapshot. */
export function loadFacts(deps: Deps, changes: readonly Change[], pages: ReadonlySet<string>): Promise<Facts> {
  const idsOf = (kind: Change["kind"]): string[] =>
    changes.flatMap((change) => (change.kind === kind && "id" in change ? [change.id] : []));
  return deps.snapshot(async (tx) => {
    const shown = idsOf("job").filter((id) => pages.has(id));
    return {
      servers: await named(tx, serverRecords, idsOf("server")),
      tickets: await named(tx, ticketRecords, idsOf("ticket")),
      jobs: await jobsNamed(deps, tx, [...shown, ...idsOf("completed")]),
      activity: await named(tx, activityRecords, idsOf("activity")),
      alerts: changes.some(({ kind }) => kind === "alerts") ? await liveAlerts(tx) : undefined,
    };
  });
}

export async function liveAlerts(tx: ReadTx): Promise<readonly Invocation[]> {
  const active = hasWord("active", "true");
  const page = { sortBy: "id", descending: true, limit: MAX_ALERTS };
  return (await tx.collection(invocationRecords).find(active, page)).rows;
}

async function named<T extends StoredRecord>(
  tx: ReadTx,
  definition: CollectionDefinition<T>,
  ids: readonly string[],
): Promise<Found<T>> {
  if (ids.length === 0) return new Map();
  const found = await tx.collection(definition).getMany(ids);
  return byId(found);
}

async function jobsNamed(deps: Deps, tx: ReadTx, ids: readonly string[]): Promise<Found<Job>> {
  const { live } = deps.jobs.desk;
  const active = await named(tx, activeJobRecords, ids);
  const final = await named(tx, jobRecords, ids);
  const jobs = new Map<string, Job>();
  for (const [id, record] of active) jobs.set(id, live.view(record).job);
  for (const [id, job] of final) jobs.set(id, pruned(job) as Job);
  return jobs;
}
