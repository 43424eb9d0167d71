import { isStoredPath } from "../../../../work/jobs/rules/stored-path.ts";

/**
 * Folders of the store that belong to jobs, buckets and magic links, even if a ticket has such an id
 * (docs/contract/files.md#paths).
 */
const FOREIGN: ReadonlySet<string> = new Set(["jobs", "bucket", "magic"]);
/** `files/<ticket>/<owner>/<token>/<name>`: uploads of accounts have fewer names, so no ticket can be called like one and own them. */
const DEPTH = 5;

/** True when files may be kept for a ticket of this id. */
export const mayOwnFiles = (ticket: string): boolean => /^\w+$/.test(ticket) && !FOREIGN.has(ticket);

export const ticketFolder = (ticket: string): string => `files/${ticket}/`;

/**
 * A path that was made for a file of this ticket (docs/contract/tickets.md#files); every other file has another owner.
 */
export const isTicketPath = (path: unknown, ticket: string): path is string =>
  mayOwnFiles(ticket) && isStoredPath(path, ticketFolder(ticket)) && path.split("/").length === DEPTH;

const pathOf = (file: unknown): unknown => (file as { readonly path?: unknown } | null)?.path;

/** True for file records of a caller that name files of others: a forged one could read or delete foreign data. */
export function hasForeignFile(files: unknown, ticket: string, known: readonly { readonly path: string }[]): boolean {
  if (files === undefined || files === null) return false;
  if (!Array.isArray(files)) return true;
  const own = new Set(known.map(({ path }) => path));
  return files.some((file) => {
    const path = pathOf(file);
    return typeof path !== "string" || !(own.has(path) || isTicketPath(path, ticket));
  });
}
