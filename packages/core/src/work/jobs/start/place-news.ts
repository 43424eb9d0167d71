import { AboutServer, CHANGED_MESSAGE, REMOVED_MESSAGE } from "../../../fleet/servers/rules/messages.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { NodeMessage } from "../../../ports/nodes/coordination.ts";

/** Informs other nodes that a server connected or disconnected. */
const PLACE_MESSAGE = "servers.place";
const ABOUT_SERVERS: ReadonlySet<string> = new Set([PLACE_MESSAGE, CHANGED_MESSAGE, REMOVED_MESSAGE]);

export const placeNews = (id: string): NodeMessage => ({ type: PLACE_MESSAGE, payload: { id } });

interface Reader {
  /** Servers that this node knows. */
  known(): Iterable<string>;
  /** Reads where all servers are connected, and the records of the changed ones. */
  read(changed: ReadonlySet<string>): Promise<void>;
}

/** Reads news of other nodes about servers at once, several together. */
export function followNews(
  { log, storage }: Pick<Cradle, "log" | "storage">,
  { known, read }: Reader,
): Promise<Disposable> {
  let changed = new Set<string>();
  let isReading = false;
  const readAll = async (): Promise<void> => {
    while (changed.size > 0) {
      const ids = changed;
      changed = new Set();
      await read(ids);
    }
  };
  const add = (ids: Iterable<string>): void => {
    for (const id of ids) changed.add(id);
    if (isReading) return;
    isReading = true;
    readAll()
      .catch((error: unknown) => log.warn({ error }, "Servers of other nodes could not be read"))
      .finally(() => {
        isReading = false;
      });
  };
  return storage.coordination.subscribe(
    ({ type, payload }) => {
      const about = ABOUT_SERVERS.has(type) ? AboutServer.safeParse(payload) : undefined;
      if (about?.success) add([about.data.id]);
    },
    () => add(known()),
  );
}
