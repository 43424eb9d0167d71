import { isLimited } from "../../../directory/access/require-access.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { Job } from "../model.ts";

interface Reader {
  readonly actor: Actor;
  readonly tx: ReadTx;
}

/**
 * A workflow's job without the results of sub-jobs that the caller may not read: its category decides about itself, and
 * its nodes run events of others (docs/contract/workflows.md#access). They are only counted, as `hidden`.
 */
export async function withoutHiddenParts<T extends Job>(
  { references }: Pick<Cradle, "references">,
  reader: Reader,
  job: T,
): Promise<T> {
  const lists = Object.entries(membersOf(job.workflow?.["jobs"]));
  if (lists.length === 0 || !isLimited(reader.actor)) return job;
  const idsIn = (list: unknown): string[] => partsIn(list).map(({ id }) => String(id));
  const visible = await references.visible(reader, "job", [...new Set(lists.flatMap(([, list]) => idsIn(list)))]);
  const kept = lists.map(([node, list]) => [node, partsIn(list).filter(({ id }) => visible.has(String(id)))] as const);
  const count = (all: readonly (readonly [string, unknown])[]): number =>
    all.reduce((sum, [, list]) => sum + partsIn(list).length, 0);
  const hidden = count(lists) - count(kept);
  if (hidden === 0) return job;
  const jobs = Object.fromEntries(kept.filter(([, parts]) => parts.length > 0));
  return { ...job, workflow: { ...job.workflow, jobs, hidden } };
}

const partsIn = (list: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(list) ? list.filter(isObject) : [];
