import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { StartChoice } from "../lifecycle/rules/transition.ts";
import type { ActiveJob } from "../model.ts";
import type { JobPlaces } from "./places.ts";

interface Deps extends Pick<Cradle, "clock" | "servers" | "storage"> {
  readonly places: JobPlaces;
}

/** A node that was asked to start a job is given this long. Seconds. */
const ROUTE_SEC = 10;

/** Another node was asked to start the job a moment ago, and its server is there still. */
export function isOnItsWay({ clock, places, storage }: Deps, { job, routed }: ActiveJob): boolean {
  if (!routed || routed.node === storage.coordination.nodeId) return false;
  const isThere = job.server !== undefined && places.nodeOf(job.server) === routed.node;
  return isThere && clock.now() - routed.at < ROUTE_SEC;
}

/** Asks the node of the chosen server to start the job. Undefined = the server is connected here, or nowhere. */
export async function handOver(
  { clock, places, servers }: Deps,
  { tx }: Unit,
  { record, choice }: { readonly record: ActiveJob; readonly choice: StartChoice },
): Promise<ActiveJob | undefined> {
  if (choice.kind !== "chosen" || servers.get(choice.server.id)) return undefined;
  const node = places.nodeOf(choice.server.id);
  if (node === undefined) return undefined;
  const { id } = record;
  await tx.enqueue("jobs.advance", { id }, { key: `${id}@${node}`, node });
  const job = { ...record.job, server: choice.server.id, groups: [...choice.server.groups] };
  return { ...record, job, routed: { node, at: clock.now() } };
}
