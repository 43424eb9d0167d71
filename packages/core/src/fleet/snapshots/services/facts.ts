import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { invocationRecords } from "../../alerts/records.ts";

/** Invocations that one snapshot names; the oldest active ones come first. */
const MAX_ALERTS = 1000;
const QUICK_SAMPLES = 60;

/** Ids of the active invocations of a server or of a group. */
export async function activeAlerts(tx: ReadTx, field: "server" | "groups", id: string): Promise<string[]> {
  const where = allOf([hasWord(field, id), hasWord("active", "true")]);
  const { rows } = await tx.collection(invocationRecords).find(where, { sortBy: "id", limit: MAX_ALERTS });
  return rows.map((invocation) => invocation.id);
}

/** Ids of the active jobs of a server, then of the workflows that they belong to; `own` is on its way out of the list. */
export async function jobsOn(
  { activeJobs, jobInbox, servers }: Pick<Cradle, "activeJobs" | "jobInbox" | "servers">,
  tx: ReadTx,
  { server, own }: { readonly server: string; readonly own: string | undefined },
): Promise<string[]> {
  const here = jobInbox.activeOn(server).map(({ id }) => id);
  const ids = servers.get(server) ? here : await activeJobs.runningOn(tx, server);
  return activeJobs.withWorkflows(tx, [...ids, ...(own === undefined ? [] : [own])]);
}

export const quickSamples = ({ monitors }: Pick<Cradle, "monitors">, server: string) =>
  monitors.samples(server).slice(-QUICK_SAMPLES);
