import { createHolder, type Holder, type Message } from "./holder.ts";
import { waitForLock } from "./lock.ts";
import { createSource, type Listener } from "./source.ts";

/** The server's updates, for this window. */
export interface Channel {
  /** Tells which page this window shows: `Job?id=j1`. */
  look(page: string): void;
  retry(): void;
  leave(): void;
}

/**
 * After so long without a message from the window that holds the stream, that window is taken to hang. The server sends an update
 * each second.
 */
const SILENCE_MS = 45_000;
const LOOK_MS = 5000;

/**
 * One stream shared by all windows of a browser that use this name, or a separate one where the browser lacks locks or broadcast
 * channels. Delivers what happened after the update `lastId`; when that is no longer possible, a command "back" comes.
 */
export const openChannel = (name: string, listener: Listener, lastId: string): Channel =>
  "locks" in navigator && "BroadcastChannel" in globalThis ? join(name, listener, lastId) : alone(listener, lastId);

function alone(listener: Listener, lastId: string): Channel {
  const source = createSource(listener, lastId);
  source.follow("");
  return { look: source.follow, retry: source.retry, leave: source.stop };
}

/** The window that holds the lock holds the stream and passes on its updates. */
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

/** Remembers what this window needs to resume the stream when it gets the lock. */
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
    /** Takes a message of the window that holds the stream; true when it asks for this window's page. */
    hear(message: Message): boolean {
      if (message.kind === "look" || message.kind === "gone" || message.kind === "retry") return false;
      heardAt = Date.now();
      // The ids differ when the holder received updates before it knew of this window; those were not passed on.
      if (message.kind === "welcome" && message.to === me && message.id !== id) told.update("back", {}, message.id);
      if (message.kind === "link") listener.link(message.link);
      if (message.kind === "update") told.update(message.cmd, message.data, message.id);
      return message.kind === "asked";
    },
  };
}
