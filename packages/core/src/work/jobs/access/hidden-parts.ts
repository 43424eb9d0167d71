import { isLimited } from "../../../directory/access/require-access.ts";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import type { Job } from "../model.ts";

type Reader = Pick<QueryContext, "actor" | "tx">;

type Entry = Readonly<Record<string, unknown>>;

/**
 * A job without tickets and other jobs that the caller may not read: an event's job launches events of others, and the
 * category of a workflow decides about itself, while its nodes run events of others
 * (docs/contract/workflows.md#access). Results of sub-jobs are counted, as `hidden`.
 */
export async function withoutHiddenParts<T extends Job>(
  { references }: Pick<Cradle, "references">,
  reader: Reader,
  job: T,
): Promise<T> {
  const lists = Object.entries(membersOf(job.workflow?.["jobs"])).map(
    ([node, list]) => [node, entriesIn(list)] as const,
  );
  const launched = entriesIn(job.jobs);
  const { tickets = [] } = job;
  if (!isLimited(reader.actor) || lists.length + launched.length + tickets.length === 0) return job;
  const ids = [launched, ...lists.map(([, list]) => list)].flat().map(({ id }) => String(id));
  const visible = await references.visible(reader, "job", [...new Set(ids)]);
  const kept = (list: readonly Entry[]): Entry[] => list.filter(({ id }) => visible.has(String(id)));
  return {
    ...job,
    ...(tickets.length > 0 ? { tickets: await visibleTickets(references, reader, tickets) } : {}),
    ...(launched.length > 0 ? { jobs: kept(launched) } : {}),
    ...(lists.length > 0 ? { workflow: { ...job.workflow, ...keptParts(lists, kept) } } : {}),
  };
}

async function visibleTickets(references: Cradle["references"], reader: Reader, ids: readonly string[]) {
  const visible = await references.visible(reader, "ticket", ids);
  return ids.filter((id) => visible.has(id));
}

function keptParts(lists: readonly (readonly [string, Entry[]])[], kept: (list: readonly Entry[]) => Entry[]) {
  const left = lists.map(([node, list]) => [node, kept(list)] as const);
  const count = (all: typeof lists): number => all.reduce((sum, [, list]) => sum + list.length, 0);
  const hidden = count(lists) - count(left);
  const jobs = Object.fromEntries(left.filter(([, list]) => list.length > 0));
  return hidden === 0 ? {} : { jobs, hidden };
}

const entriesIn = (list: unknown): Entry[] => (Array.isArray(list) ? list.filter(isObject) : []);
