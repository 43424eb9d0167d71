import { folderOf } from "../../../directory/files/rules/file-record.ts";
import { cleanFilename } from "../../../directory/files/rules/names.ts";
import type { Upload } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { displayName } from "../../../lib/files/file-names.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { ticketCollection } from "../collection.ts";
import type { TicketFile } from "../model.ts";
import { isTicketPath, mayOwnFiles, ticketFolder } from "./rules/file-path.ts";
import { FULL, fileLifetime, livingFiles, refusedUploads, uploadLimits } from "./rules/upload-limits.ts";

/** Kinds of queued work. */
export const EXPIRE_KIND = "tickets.expire_files";
export const ORPHANS_KIND = "tickets.drop_orphans";
export const REMOVE_KIND = "tickets.remove_files";

/** The owner of a file. */
export interface FileOwner {
  readonly ticket: string;
  /** User name, or id of an API key. */
  readonly username: string;
  /** True = the ticket's record is to list the files; otherwise only its texts link to them. */
  readonly attached: boolean;
}

/** Files of tickets in the store (docs/contract/tickets.md#files). */
export interface TicketFiles {
  /** Throws `DomainError` ("ticket") for files that the settings do not allow; `existing` is the number of present ones. */
  check(uploads: readonly Upload[], existing: number): void;
  /** The same for the total number of files that a ticket would have. */
  checkCount(count: number): void;
  /**
   * Number of the ticket's objects in the store, including objects that only its texts link to. Stops counting just above the
   * bound.
   */
  countStored(ticket: string): Promise<number>;
  /**
   * Stores the files of a request in the ticket's folder, all or none. Call it outside any transaction. Rejects with the store's
   * own error. An attached file that no record names an hour later is removed.
   */
  keep(uploads: readonly Upload[], owner: FileOwner): Promise<TicketFile[]>;
  /** Removes the files of a refused call; never rejects. */
  discard(files: readonly TicketFile[]): Promise<void>;
  /** Records whose files have not expired. */
  living(files: readonly TicketFile[]): TicketFile[];
  /** Removes files of this ticket; ignores other paths. */
  remove(ticket: string, paths: readonly string[]): Promise<void>;
  /** Removes the files in `paths` that the ticket's record does not name. */
  removeOrphans(ticket: string, paths: readonly string[]): Promise<void>;
  /** Removes all of the ticket's files from its folder. */
  removeAll(ticket: string, signal: AbortSignal): Promise<void>;
}

type Deps = Pick<Cradle, "clock" | "config" | "files" | "ids" | "log" | "snapshot" | "transact">;

/** Seconds after which an attached file in no record is removed: longer than the slowest call. */
const ORPHAN_SEC = 3600;
const PAGE = 100;

export function createTicketFiles(deps: Deps): TicketFiles {
  const { clock, config, files, log, snapshot } = deps;
  const refuse = (uploads: readonly Upload[], existing: number): void => {
    const limits = uploadLimits(config);
    const reason = refusedUploads(uploads, existing, limits);
    // More files than an empty ticket may have are malformed; otherwise the ticket is full, which is a conflict.
    const isFull = reason === FULL && uploads.length <= limits.maxFiles;
    if (reason !== undefined) throw new DomainError("ticket", isFull ? "conflict" : "malformed", reason);
  };
  const remove: TicketFiles["remove"] = async (ticket, paths) => {
    for (const path of paths) if (isTicketPath(path, ticket)) await files.remove(path);
  };
  return {
    check: refuse,
    checkCount: (count) => refuse([], count),
    countStored: async (ticket) =>
      (await files.list(ticketFolder(ticket), { limit: uploadLimits(config).maxFiles + 1 })).length,
    keep: (uploads, owner) => keep(deps, uploads, owner),
    async discard(records) {
      for (const { path } of records)
        await files
          .remove(path)
          .catch((error: unknown) => log.warn({ error }, "A file that nobody needs is removed later"));
    },
    living: (records) => livingFiles(records, clock.now(), fileLifetime(config)),
    remove,
    async removeOrphans(ticket, paths) {
      const named = await snapshot((tx) => namedPaths(tx, ticket));
      await remove(
        ticket,
        paths.filter((path) => !named.has(path)),
      );
    },
    async removeAll(ticket, signal) {
      if (!mayOwnFiles(ticket)) return;
      for await (const keys of pagesOf(deps, ticket, signal)) await remove(ticket, keys);
    },
  };
}

/** Yields the keys of all files of the ticket, page by page. The consumer may remove them meanwhile. */
async function* pagesOf(
  { files }: Pick<Deps, "files">,
  ticket: string,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  for (let after: string | undefined, isLast = false; !isLast; ) {
    signal.throwIfAborted();
    const keys = await files.list(ticketFolder(ticket), { limit: PAGE, ...(after === undefined ? {} : { after }) });
    yield keys;
    after = keys.at(-1);
    isLast = keys.length < PAGE;
  }
}

async function namedPaths(tx: ReadTx, ticket: string): Promise<ReadonlySet<string>> {
  const stored = await tx.collection(ticketCollection).get(ticket);
  return new Set((stored?.files ?? []).map(({ path }) => path));
}

async function keep(deps: Deps, uploads: readonly Upload[], owner: FileOwner): Promise<TicketFile[]> {
  if (uploads.length === 0) return [];
  const { clock, files, ids, log } = deps;
  const { ticket, username } = owner;
  if (!mayOwnFiles(ticket)) throw new DomainError("ticket", "malformed", "Malformed ticket parameter: files");
  const folder = `${ticketFolder(ticket)}${folderOf(username)}/`;
  const paths = uploads.map(({ filename }) => `${folder}${ids.token()}/${cleanFilename(filename)}`);
  await noteEnds(deps, paths, owner);
  const records: TicketFile[] = [];
  try {
    for (const [index, upload] of uploads.entries()) {
      const path = paths[index] as string;
      const size = await files.keep(upload.key, path);
      const filename = displayName(upload.filename);
      records.push({ id: ids.short("f"), date: Math.floor(clock.now()), filename, path, size, username, ticket });
    }
    return records;
  } catch (error) {
    for (const path of paths)
      await files.remove(path).catch((cause: unknown) => log.warn({ error: cause }, "Half of a file is removed later"));
    throw error;
  }
}

/** Queues the removal of files before they are stored, so that none stays forever if the process dies. */
function noteEnds({ clock, config, transact }: Deps, paths: readonly string[], { ticket, attached }: FileOwner) {
  const lifetime = fileLifetime(config);
  const payload = { ticket, paths };
  return transact(async ({ tx }) => {
    if (lifetime !== undefined) await tx.enqueue(EXPIRE_KIND, payload, { runAt: clock.now() + lifetime });
    if (attached) await tx.enqueue(ORPHANS_KIND, payload, { runAt: clock.now() + ORPHAN_SEC });
  });
}
