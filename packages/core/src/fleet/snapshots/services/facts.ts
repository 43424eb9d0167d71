import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { invocationRecords } from "../../alerts/records.ts";

/** Most invocations that one snapshot lists, oldest first. */
const MAX_ALERTS = 1000;
const QUICK_SAMPLES = 60;

/** Ids of the active invocations of a server or of a group. */
export async function activeAlerts(tx: ReadTx, field: "server" | "groups", id: string): Promise<string[]> {
  const where = allOf([hasWord(field, id), hasWord("active", "true")]);
  const { rows } = await tx.collection(invocationRecords).find(where, { sortBy: "id", limit: MAX_ALERTS });
  return rows.map((invocation) => invocation.id);
}

type Jobs = Pick<Cradle, "activeJobs" | "jobInbox" | "servers">;

/**
 * Ids of the active jobs of a server, then of the workflows that they belong to. `own` is added, as it may already have
 * left the list.
 */
export async function jobsOn(
  deps: Jobs,
  tx: ReadTx,
  { server, own }: { readonly server: string; readonly own: string | undefined },
): Promise<string[]> {
  const ids = [...new Set([...(await runningOn(deps, tx, [server])), ...(own === undefined ? [] : [own])])];
  const workflows = await deps.activeJobs.workflowsOf(tx, ids);
  return [...ids, ...workflows.map(({ id }) => id)];
}

/** Ids of the active jobs of servers: from memory for servers connected to this node, else from the storage. */
export async function runningOn(
  { activeJobs, jobInbox, servers }: Jobs,
  tx: ReadTx,
  ids: readonly string[],
): Promise<string[]> {
  const here = ids.filter((id) => servers.get(id));
  const elsewhere = ids.filter((id) => !servers.get(id));
  const known = here.flatMap((id) => jobInbox.activeOn(id)).map(({ id }) => id);
  return elsewhere.length === 0 ? known : [...known, ...(await activeJobs.runningOn(tx, elsewhere))];
}

/**
 * The newest quick samples by server id, from whichever node each server is connected to. Not for use in a transaction,
 * as it asks other nodes.
 */
export async function quickSamplesOf(
  { monitors }: Pick<Cradle, "monitors">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, QuickSamples>> {
  const rings = await monitors.quickEverywhere.read(ids);
  return new Map(rings.map(([id, samples]) => [id, samples.slice(-QUICK_SAMPLES)]));
}

export type QuickSamples = ReturnType<typeof quickSamples>;

/** Quick samples of a server that is connected to this node. */
export const quickSamples = ({ monitors }: Pick<Cradle, "monitors">, server: string) =>
  monitors.samples(server).slice(-QUICK_SAMPLES);
