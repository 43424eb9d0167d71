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

/** Ids of jobs and tickets that a job names. */
interface Links {
  readonly jobs: readonly string[];
  readonly tickets: readonly string[];
}

/** Ids that a caller may read. */
interface Within {
  readonly jobs: ReadonlySet<string>;
  readonly tickets: ReadonlySet<string>;
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * Removes tickets and other jobs that the caller may not read. A job may link to such records: it can launch events outside of
 * the caller's reach, and so can the nodes of a workflow, whose access is decided by its category alone
 * (docs/contract/workflows.md#access). Removed results of sub-jobs are counted in `hidden`.
 */
export async function withoutHiddenParts<T extends Job>(
  { references }: Pick<Cradle, "references">,
  reader: Reader,
  job: T,
): Promise<T> {
  if (!isLimited(reader.actor)) return job;
  const { jobs, tickets } = linksOf(job);
  if (jobs.length + tickets.length === 0) return job;
  return keepingLinks(job, {
    jobs: await references.visible(reader, "job", jobs),
    tickets: await references.visible(reader, "ticket", tickets),
  });
}

export function linksOf(job: Job): Links {
  const named = [entriesIn(job.jobs), ...partsOf(job).map(([, list]) => list)].flat();
  return { jobs: [...new Set(named.map(({ id }) => String(id)))], tickets: job.tickets ?? [] };
}

/** The job with only those links that are within reach. */
export function keepingLinks<T extends Job>(job: T, within: Within): T {
  const kept = (list: readonly Entry[]): Entry[] => list.filter(({ id }) => within.jobs.has(String(id)));
  const parts = partsOf(job);
  return {
    ...job,
    ...(job.tickets ? { tickets: job.tickets.filter((id) => within.tickets.has(id)) } : {}),
    ...(job.jobs ? { jobs: kept(entriesIn(job.jobs)) } : {}),
    ...(parts.length > 0 ? { workflow: { ...job.workflow, ...keptParts(parts, kept) } } : {}),
  };
}

type Parts = readonly (readonly [node: string, list: Entry[]])[];

const partsOf = ({ workflow }: Job): Parts =>
  Object.entries(membersOf(workflow?.["jobs"])).map(([node, list]) => [node, entriesIn(list)] as const);

function keptParts(parts: Parts, kept: (list: readonly Entry[]) => Entry[]) {
  const left = parts.map(([node, list]) => [node, kept(list)] as const);
  const count = (all: Parts): number => all.reduce((sum, [, list]) => sum + list.length, 0);
  const hidden = count(parts) - count(left);
  const jobs = Object.fromEntries(left.filter(([, list]) => list.length > 0));
  return hidden === 0 ? {} : { jobs, hidden };
}

const entriesIn = (list: unknown): Entry[] => (Array.isArray(list) ? list.filter(isObject) : []);
