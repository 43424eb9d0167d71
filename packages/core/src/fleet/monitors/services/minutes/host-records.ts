import type { Cradle } from "../../../../kernel/container.ts";
import type { ReplacedText } from "../../../../lib/text/replaced-text.ts";
import { joinPieces, type TextPieces } from "../../../../lib/text/text-pieces.ts";
import type { StoredDocument } from "../../../../ports/storage/stored-document.ts";
import { serverRecords } from "../../../servers/records.ts";

/**
 * The last full minutes that are in memory but not in the storage. Storing 19 KB per server and minute, only to replace
 * it a minute later, would double the cost of a minute; the numbers of each minute go to its timeline at once.
 */
export interface HostRecords {
  /**
   * Keeps the record of a stored minute only in memory, in `text`, which the next minute replaces. Undefined = the
   * server disconnected while the minute was being stored. Call it in `afterCommit`.
   */
  kept(minute: { readonly id: string; readonly json: TextPieces }, text: ReplacedText | undefined): void;
  /** The record was stored. Call it in `afterCommit`. */
  saved(server: string): void;
  /** A server has disconnected: stores its record if that is only in memory. */
  gone(server: string): void;
  /** Stores all records that are only in memory. */
  flush(): void;
  /** Waits for pending writes. */
  idle(): Promise<void>;
}

/** Records per transaction, half a megabyte. */
const TOGETHER = 32;

type Deps = Pick<Cradle, "transact" | "log" | "servers">;

/** Reads the registry of servers from the cradle only when it is needed, as that depends on this domain in turn. */
export function createHostRecords(cradle: Deps): HostRecords {
  const unsaved = new Map<string, ReplacedText>();
  const leaving = new Map<string, StoredDocument>();
  let storing: Promise<void> | undefined;

  const store = async (): Promise<void> => {
    while (leaving.size > 0) {
      const documents = [...leaving.values()].slice(0, TOGETHER);
      for (const { id } of documents) leaving.delete(id);
      await storeTogether(cradle, documents);
    }
    storing = undefined;
  };
  const leave = (document: StoredDocument): void => {
    unsaved.delete(document.id);
    leaving.set(document.id, document);
    storing ??= store();
  };
  return {
    kept({ id, json }, text) {
      if (text) unsaved.set(id, text);
      else leave({ id, json: joinPieces(json) });
    },
    saved: (server) => void unsaved.delete(server),
    gone(server) {
      const text = unsaved.get(server);
      if (text) leave({ id: server, json: text.get() });
    },
    flush() {
      for (const [id, text] of [...unsaved]) leave({ id, json: text.get() });
    },
    async idle() {
      while (storing !== undefined) await storing;
    },
  };
}

/** Stores records with one transaction; a failure is logged. */
async function storeTogether({ transact, log, servers }: Deps, documents: readonly StoredDocument[]): Promise<void> {
  const ids = documents.map(({ id }) => id);
  try {
    await transact(async ({ tx }) => {
      // Skips servers that were deleted meanwhile.
      const there = await tx.collection(serverRecords).getMany(ids);
      const kept = documents.filter((_document, index) => there[index]);
      await servers.storeMinutes(tx, kept);
    });
  } catch (error) {
    log.error({ servers: ids, error }, "The last minutes of servers could not be stored");
  }
}
