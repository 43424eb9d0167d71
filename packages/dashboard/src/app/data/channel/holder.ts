import { linesOf } from "./pages.ts";
import { createSource, type Link, type Listener } from "./source.ts";

/** Messages between windows. Waiting windows report their pages; the holder of the stream passes on its updates. */
export type Message =
  | { readonly kind: "look"; readonly from: string; readonly page: string; readonly isAnswer: boolean }
  | { readonly kind: "gone"; readonly from: string }
  | { readonly kind: "retry" }
  | { readonly kind: "asked" }
  | { readonly kind: "update"; readonly cmd: string; readonly data: unknown; readonly id: string }
  | { readonly kind: "link"; readonly link: Link }
  | { readonly kind: "welcome"; readonly to: string; readonly id: string };

/** The window that holds the stream, for itself and for all other windows. */
export interface Holder {
  hear(message: Message): void;
  /** Collects the pages of all windows again, because one has changed. */
  gather(): void;
  retry(): void;
  stop(): void;
}

interface Options {
  readonly listener: Listener;
  readonly say: (message: Message) => void;
  readonly ownPage: () => string;
  readonly lastId: string;
}

/** How long the holder waits for answers: windows answer at once, unless they are gone. */
const ANSWER_MS = 50;

export function createHolder({ listener, say, ownPage, lastId }: Options): Holder {
  /** Pages of the other windows, by window id. */
  let others = new Map<string, string>();
  let answers = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const speaker = createSpeaker({ listener, say, lastId, isHeard: () => others.size > 0 });
  const { source } = speaker;

  const follow = (): void => source.follow(linesOf([ownPage(), ...others.values()]));
  function take(): void {
    timer = undefined;
    others = answers;
    follow();
  }
  /** Asks all windows for their pages, so that pages of windows that vanished without a message are no longer followed. */
  function gather(): void {
    if (timer) return;
    answers = new Map();
    say({ kind: "asked" });
    timer = setTimeout(take, ANSWER_MS);
  }
  function see({ from, page, isAnswer }: Extract<Message, { kind: "look" }>): void {
    for (const known of [others, answers]) known.set(from, page);
    if (isAnswer && timer) return;
    speaker.welcome(from);
    // A busy window that answers late was taken for gone; its page is followed again.
    if (isAnswer) follow();
    else gather();
  }
  return {
    gather,
    hear(message) {
      if (message.kind === "retry") source.retry();
      if (message.kind === "gone") gather();
      if (message.kind === "look") see(message);
    },
    retry: source.retry,
    stop() {
      clearTimeout(timer);
      source.stop();
    },
  };
}

type SpeakerOptions = Pick<Options, "listener" | "say" | "lastId"> & { readonly isHeard: () => boolean };

/** The stream, for this window and forwarded to the others. */
function createSpeaker({ listener, say, lastId, isHeard }: SpeakerOptions) {
  let newestId = lastId;
  let newest: Link | undefined;
  const told: Listener = {
    update(cmd, data, id) {
      newestId = id;
      listener.update(cmd, data, id);
      if (isHeard()) say({ kind: "update", cmd, data, id });
    },
    link(link) {
      newest = link;
      listener.link(link);
      say({ kind: "link", link });
    },
    refused: listener.refused,
  };
  return {
    source: createSource(told, lastId),
    /** Sends a new window the state of the connection and the id of the newest update. */
    welcome(to: string): void {
      if (newest) say({ kind: "link", link: newest });
      say({ kind: "welcome", to, id: newestId });
    },
  };
}
