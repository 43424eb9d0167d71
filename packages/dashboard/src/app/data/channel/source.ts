import { now } from "../../texts/format.ts";
import { client } from "../calls/session.ts";

/** State of the connection to the server. `nextTry` is in Unix seconds, 0 while the connection is open. */
export interface Link {
  readonly state: "open" | "lost";
  readonly nextTry: number;
}

export interface Listener {
  /** A later stream resumes after the update `id`. */
  update(cmd: string, data: unknown, id: string): void;
  link(link: Link): void;
  /** The server refuses the stream for this viewer. */
  refused(): void;
}

/** The server's stream of updates. */
export interface Source {
  /** Opens a stream for these pages, one a line. The previous stream keeps delivering until the new one opens. */
  follow(pages: string): void;
  retry(): void;
  stop(): void;
}

export function createSource({ update, link, refused }: Listener, lastId: string): Source {
  let pages: string | undefined;
  let id = lastId;
  let isLost = false;
  let newest: AbortController | undefined;
  let speaking: AbortController | undefined;

  function onOpen(own: AbortController): void {
    if (speaking !== own) speaking?.abort();
    speaking = own;
    link({ state: "open", nextTry: 0 });
    if (isLost) update("back", {}, id);
    isLost = false;
  }
  function onLost(own: AbortController, retryMs: number): void {
    // While the previous stream delivers, failing to open one for other pages does not mean that the connection is lost.
    if (speaking && speaking !== own) return;
    isLost = true;
    link({ state: "lost", nextTry: now.peek() + retryMs / 1000 });
  }
  async function listen(own: AbortController): Promise<void> {
    const stream = client.stream("stream_updates", pages ? { loc: pages } : {}, {
      ...{ signal: own.signal, lastEventId: id },
      onState: (state, retryMs) => (state === "open" ? onOpen(own) : onLost(own, retryMs)),
    });
    for await (const told of stream) {
      id = told.id || id;
      update(told.event, told.data, id);
    }
  }
  function open(): void {
    if (newest !== speaking) newest?.abort();
    const own = new AbortController();
    newest = own;
    listen(own).catch(() => own.signal.aborted || refused());
  }
  function stop(): void {
    newest?.abort();
    speaking?.abort();
    speaking = undefined;
  }
  return {
    stop,
    follow(next) {
      if (next === pages) return;
      pages = next;
      open();
    },
    retry() {
      stop();
      open();
    },
  };
}
