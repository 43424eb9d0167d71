import type { TicketFile } from "../model.ts";

type SentFile = Readonly<Record<string, unknown>> & { readonly path: string };

interface FileStamp {
  readonly ticket: string;
  readonly username: string;
  /** Unix seconds. */
  readonly now: number;
  readonly newId: () => string;
}

/**
 * The files that a client sends, in its order and without duplicates. Files that the ticket already has stay as they are stored.
 */
export function mergeFiles(known: readonly TicketFile[], sent: readonly SentFile[], stamp: FileStamp): TicketFile[] {
  const byPath = new Map(known.map((file) => [file.path, file]));
  const merged = new Map<string, TicketFile>();
  for (const file of sent) merged.set(file.path, byPath.get(file.path) ?? newFile(file, stamp));
  return [...merged.values()];
}

/** A new file record. Checks the types of the members, because all readers rely on them. */
function newFile(
  { path, id, filename, size, date }: SentFile,
  { ticket, username, now, newId }: FileStamp,
): TicketFile {
  return {
    id: typeof id === "string" && id !== "" ? id : newId(),
    filename: typeof filename === "string" && filename !== "" ? filename : path.slice(path.lastIndexOf("/") + 1),
    path,
    size: isAmount(size) ? size : 0,
    date: isAmount(date) ? date : now,
    username,
    ticket,
  };
}

const isAmount = (value: unknown): value is number => typeof value === "number" && value >= 0;
