import { linesOf } from "./pages.ts";
import { createSource, type Link, type Listener } from "./source.ts";

/** Messages between windows. Waiting windows tell their place; the holder of the stream passes on its updates. */
export type Message =
  | { readonly kind: "look"; readonly from: string; readonly page: string; readonly isAnswer: boolean }
  | { readonly kind: "gone"; readonly from: string }
  | { readonly kind: "retry" }
  | { readonly kind: "asked" }
  | { readonly kind: "update"; readonly cmd: string; readonly data: unknown; readonly id: string }
  | { readonly kind: "link"; readonly link: Link }
  | { readonly kind: "welcome"; readonly to: string; readonly id: string };

/** The window that holds the stream, for itself and for all others. */
export interface Holder {
  hear(message: Message): void;
  /** The page of a window has changed. */
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

/** Windows answer at once, unless they are gone. */
const ANSWER_MS = 50;

export function createHolder({ listener, say, ownPage, lastId }: Options): Holder {
  /** Pages of the other windows, by window. */
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
  /** Asks for a sign of life, so that windows which vanished without a word are not followed for ever. */
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
    // A busy window answers late, and was taken for gone: its page is followed again.
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

/** The stream, heard by this window and told to the others. */
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
    /** Says to a window that comes how things stand. */
    welcome(to: string): void {
      if (newest) say({ kind: "link", link: newest });
      say({ kind: "welcome", to, id: newestId });
    },
  };
}
