import { createHolder, type Holder, type Message } from "./holder.ts";
import { waitForLock } from "./lock.ts";
import { createSource, type Listener } from "./source.ts";

/** The updates of the server, for this window. */
export interface Channel {
  /** Says which page is looked at: `Job?id=j1`. */
  look(page: string): void;
  retry(): void;
  leave(): void;
}

/** Without a word of the window that holds the stream for so long, it stands still. The server speaks each second. */
const SILENCE_MS = 45_000;
const LOOK_MS = 5000;

/**
 * One stream for all windows of a browser with this name; one of its own where the browser has no means for that. What
 * happened behind the update `lastId` is told, or that it cannot be told: then a command "back" comes.
 */
export const openChannel = (name: string, listener: Listener, lastId: string): Channel =>
  "locks" in navigator && "BroadcastChannel" in globalThis ? join(name, listener, lastId) : alone(listener, lastId);

function alone(listener: Listener, lastId: string): Channel {
  const source = createSource(listener, lastId);
  source.follow("");
  return { look: source.follow, retry: source.retry, leave: source.stop };
}

/** The window that has the lock holds the stream, and passes on what it hears. */
function join(name: string, listener: Listener, lastId: string): Channel {
  const me = crypto.randomUUID();
  const post = new BroadcastChannel(name);
  const told = remember(listener, me, lastId);
  let holder: Holder | undefined;
  let page = "";
  const say = (message: Message): void => post.postMessage(message);
  const look = (isAnswer: boolean): void => say({ kind: "look", from: me, page, isAnswer });
  post.onmessage = ({ data }: MessageEvent<Message>) => {
    if (holder) holder.hear(data);
    else if (told.hear(data)) look(true);
  };
  const lock = waitForLock(name, {
    begin() {
      holder = createHolder({ listener: told, say, ownPage: () => page, lastId: told.lastId() });
      holder.gather();
    },
    end() {
      holder?.stop();
      holder = undefined;
    },
  });
  const watch = setInterval(() => !holder && told.isSilent() && lock.takeAway(), LOOK_MS);
  look(false);
  return {
    look(next) {
      if (next === page) return;
      page = next;
      if (holder) holder.gather();
      else look(false);
    },
    retry: () => (holder ? holder.retry() : say({ kind: "retry" })),
    leave() {
      clearInterval(watch);
      say({ kind: "gone", from: me });
      lock.leave();
      holder?.stop();
      holder = undefined;
      post.close();
    },
  };
}

/** Keeps what this window needs to go on with the stream when its turn comes. */
function remember(listener: Listener, me: string, lastId: string) {
  let id = lastId;
  let heardAt = Date.now();
  const told: Listener = {
    ...listener,
    update(cmd, data, newest) {
      id = newest || id;
      listener.update(cmd, data, newest);
    },
  };
  return {
    ...told,
    lastId: () => id,
    isSilent: () => Date.now() - heardAt > SILENCE_MS,
    /** A word of the window that holds the stream; true when it asks where this one is. */
    hear(message: Message): boolean {
      if (message.kind === "look" || message.kind === "gone" || message.kind === "retry") return false;
      heardAt = Date.now();
      // Messages that the holder heard before it knew of this window reached nobody here.
      if (message.kind === "welcome" && message.to === me && message.id !== id) told.update("back", {}, message.id);
      if (message.kind === "link") listener.link(message.link);
      if (message.kind === "update") told.update(message.cmd, message.data, message.id);
      return message.kind === "asked";
    },
  };
}
