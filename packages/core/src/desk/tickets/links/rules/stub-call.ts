import type { TicketEvent, TicketFile } from "../../model.ts";

type Members = Readonly<Record<string, unknown>>;
type NamedFile = { readonly path: string };

/** Most input files of one launch, since a ticket may be linked to many jobs. */
const MAX_FILES = 1000;

/**
 * The ticket's files, marked as its own, followed by the files of jobs; duplicate paths are left out
 * (docs/contract/tickets.md#events-of-a-ticket).
 */
export function launchFiles(own: readonly TicketFile[], others: readonly NamedFile[], ticket: string): Members[] {
  const byPath = new Map<string, Members>();
  for (const file of own) byPath.set(file.path, { ...file, ticket });
  for (const file of others) if (!byPath.has(file.path)) byPath.set(file.path, { ...file });
  return [...byPath.values()].slice(0, MAX_FILES);
}

interface StubRun {
  /** The caller's parameters, which override the stub's. */
  readonly params: Members | undefined;
  readonly files: readonly Members[];
}

const isFilled = (list: readonly unknown[] | undefined): boolean => list !== undefined && list.length > 0;

/** The call of run_event that a stub stands for. Members that are empty in the stub come from the event. */
export function stubCall({ id, params, targets, algo, tags }: TicketEvent, run: StubRun): Members & { id: string } {
  return {
    id,
    params: { ...params, ...run.params },
    ...(isFilled(targets) ? { targets } : {}),
    ...(algo ? { algo } : {}),
    ...(isFilled(tags) ? { tags } : {}),
    ...(run.files.length > 0 ? { input: { files: run.files } } : {}),
  };
}
