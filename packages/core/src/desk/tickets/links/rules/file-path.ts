import { isStoredPath } from "../../../../work/jobs/rules/stored-path.ts";

/**
 * Folders of the store that belong to jobs, buckets and magic links, whatever ids tickets have (docs/contract/files.md#paths).
 */
const FOREIGN: ReadonlySet<string> = new Set(["jobs", "bucket", "magic"]);
/**
 * Segments of `files/<ticket>/<owner>/<token>/<name>`. Uploads of accounts have fewer, so a ticket with an account's name does
 * not own them.
 */
const DEPTH = 5;

/** True when a ticket with this id may have files. */
export const mayOwnFiles = (ticket: string): boolean => /^\w+$/.test(ticket) && !FOREIGN.has(ticket);

export const ticketFolder = (ticket: string): string => `files/${ticket}/`;

/** Whether a path was made for a file of this ticket (docs/contract/tickets.md#files); all other files belong to others. */
export const isTicketPath = (path: unknown, ticket: string): path is string =>
  mayOwnFiles(ticket) && isStoredPath(path, ticketFolder(ticket)) && path.split("/").length === DEPTH;

const pathOf = (file: unknown): unknown => (file as { readonly path?: unknown } | null)?.path;

/** True if file records sent by a caller name other owners' files: a forged record could read or delete foreign data. */
export function hasForeignFile(files: unknown, ticket: string, known: readonly { readonly path: string }[]): boolean {
  if (files === undefined || files === null) return false;
  if (!Array.isArray(files)) return true;
  const own = new Set(known.map(({ path }) => path));
  return files.some((file) => {
    const path = pathOf(file);
    return typeof path !== "string" || !(own.has(path) || isTicketPath(path, ticket));
  });
}
