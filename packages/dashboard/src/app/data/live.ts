import { batch, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { now } from "../texts/format.ts";
import { forgetLoaded } from "./load.ts";
import { client } from "./session.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a message holds depends on its command (docs/contract/live.md)
type Handler = (data: any) => void;

/** "paused": somebody pressed the point key; messages wait. */
export type Connection = "opening" | "live" | "lost" | "paused";
export const connection = signal<Connection>("opening");
/** Unix seconds of the last word of the server, and of the next try when it is lost. */
export const lastHeard = signal(0);
export const nextTry = signal(0);

const handlers = new Map<string, Set<Handler>>();
let current: AbortController | undefined;
let place = "";
let retryNow: () => void = () => undefined;
const HIDDEN_MS = 60_000;

/** Messages of one turn are told together, so that each part is drawn once. */
let waiting: { readonly cmd: string; readonly data: unknown }[] = [];
let isPlanned = false;
/** Bound of what waits while the pages are paused or hidden; after that they are loaded anew. */
const MAX_WAITING = 2000;

function tell(): void {
  isPlanned = false;
  if (connection.peek() === "paused") return;
  const due = waiting;
  waiting = [];
  batch(() => {
    for (const { cmd, data } of due) for (const handler of handlers.get(cmd) ?? []) handler(data);
  });
}

function take(cmd: string, data: unknown): void {
  lastHeard.value = now.peek();
  waiting.push({ cmd, data });
  if (waiting.length > MAX_WAITING) waiting.splice(0, waiting.length - MAX_WAITING);
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(tell, 100);
}

async function listen(loc: string, own: AbortController): Promise<void> {
  let wasLost = false;
  const stream = client.stream("stream_updates", loc ? { loc } : {}, {
    signal: own.signal,
    onState(state, retryMs) {
      if (state === "lost") {
        wasLost = true;
        nextTry.value = now.peek() + retryMs / 1000;
      }
      if (connection.peek() !== "paused") connection.value = state === "open" ? "live" : "lost";
      if (state === "open" && wasLost) take("back", {});
      if (state === "open") wasLost = false;
    },
  });
  for await (const { event, data } of stream) take(event, data);
}

function open(): void {
  current?.abort();
  const own = new AbortController();
  current = own;
  retryNow = () => open();
  listen(place, own).catch(() => {
    // Refused: the session is over, and the next call of a page says so.
    if (!own.signal.aborted) take("logout", {});
  });
}

/** Opens the stream; called once by the frame. Hidden pages keep it for a minute. */
export function startLive(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => current?.abort(), HIDDEN_MS);
    else if (current?.signal.aborted) {
      forgetLoaded();
      open();
      take("back", {});
    }
  };
  document.addEventListener("visibilitychange", onVisibility);
  open();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onVisibility);
    current?.abort();
  };
}

export const reconnect = (): void => retryNow();

/** Holds messages back until it is called again. */
export function togglePause(): void {
  connection.value = connection.peek() === "paused" ? "live" : "paused";
  if (connection.peek() === "live") tell();
}

/** Says which page is looked at: `Job?id=j1`. The stream is opened anew when that changes. */
export function lookAt(loc: string): void {
  if (loc === place) return;
  place = loc;
  if (current && !current.signal.aborted) open();
}

export function onLive(cmd: string, handler: Handler): () => void {
  const known = handlers.get(cmd) ?? new Set();
  handlers.set(cmd, known.add(handler));
  return () => known.delete(handler);
}

/**
 * Hears a command of the channel while the part is shown: `useLive("status", ({ activeJobs }) => …)`. "back" comes after a
 * lost connection was found again: ask anew for what may have changed.
 */
export function useLive(cmd: string, handler: Handler): void {
  const newest = useRef(handler);
  newest.current = handler;
  useEffect(() => onLive(cmd, (data) => newest.current(data)), [cmd]);
}

/** Looks at a page of the channel, and hears its `page_update`s: `usePage("Job?id=j1", (cmd, data) => …)`. */
export function usePage(loc: string, handler: (cmd: string, data: Record<string, unknown>) => void): void {
  useEffect(() => {
    lookAt(loc);
    return () => lookAt("");
  }, [loc]);
  useLive("page_update", ({ page_cmd, page_data }) => handler(page_cmd, page_data ?? {}));
}
