import { batch, computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { now } from "../texts/format.ts";
import { base } from "./calls/boot.ts";
import { forgetLoaded } from "./calls/load.ts";
import { boot, viewer } from "./calls/session.ts";
import { isOnPage } from "./channel/pages.ts";
import type { Listener } from "./channel/source.ts";
import { type Channel, openChannel } from "./channel/windows.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a message holds depends on its command (docs/contract/live.md)
type Handler = (data: any) => void;

/** "paused": somebody pressed the full stop key; messages wait. */
export type Connection = "opening" | "live" | "lost" | "paused";
const isPaused = signal(false);
const link = signal<Exclude<Connection, "paused">>("opening");
export const connection = computed<Connection>(() => (isPaused.value ? "paused" : link.value));
/** Unix seconds of the server's last message, and of the next try while the connection is lost. */
export const lastHeard = signal(0);
export const nextTry = signal(0);

const handlers = new Map<string, Set<Handler>>();
let channel: Channel | undefined;
/** Id of an update: everything shown is at least as new. */
let newestId = "";
let place = "";
const HIDDEN_MS = 60_000;

/** The first message of a stream. `stale`: some of what happened before it will not be delivered. */
interface Login {
  readonly stale?: true;
}

/** Messages that wait for the next delivery; handlers get them in one batch, so that each part renders once. */
let waiting: { readonly cmd: string; readonly data: unknown }[] = [];
let isPlanned = false;
/** Most messages that wait while the pages are paused; beyond that, the pages load their data again. */
const MAX_WAITING = 2000;

function tell(): void {
  isPlanned = false;
  if (isPaused.peek()) return;
  const due = waiting;
  waiting = [];
  batch(() => {
    for (const { cmd, data } of due) for (const handler of handlers.get(cmd) ?? []) handler(data);
  });
}

/** Live readings are dropped while paused: the page gets newer ones afterwards. */
const isOfNow = (data: unknown): boolean => (data as { page_cmd?: unknown }).page_cmd === "quickmon_columns";

function take(cmd: string, data: unknown): void {
  lastHeard.value = now.peek();
  if (isPaused.peek() && isOfNow(data)) return;
  waiting.push({ cmd, data });
  if (waiting.length > MAX_WAITING) waiting = [{ cmd: "back", data: {} }];
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(tell, 100);
}

function open(): void {
  const { kind = "", id = "" } = viewer.peek() ?? {};
  newestId ||= boot.peek()?.lastId ?? "";
  const listener: Listener = {
    update(cmd, data, told) {
      newestId = told || newestId;
      take(cmd, data);
      if (cmd === "login" && (data as Login).stale) take("back", {});
    },
    link(told) {
      link.value = told.state === "open" ? "live" : "lost";
      nextTry.value = told.nextTry;
    },
    // The session has ended; the next call of a page says so.
    refused: () => take("logout", {}),
  };
  channel = openChannel(`signalbox ${base} ${kind} ${id}`, listener, newestId);
  channel.look(place);
}

function close(): void {
  channel?.leave();
  channel = undefined;
}

/** Reconnects after the page was hidden, and lets pages load again whatever may have changed. */
function comeBack(): void {
  if (channel) return;
  forgetLoaded();
  open();
  take("back", {});
}

/** Opens the channel; called once by the frame. A hidden window closes it after a minute. */
export function startLive(): () => void {
  const left = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(close, HIDDEN_MS);
    else comeBack();
  };
  document.addEventListener("visibilitychange", onVisibility, left);
  addEventListener("pagehide", close, left);
  addEventListener("pageshow", ({ persisted }) => persisted && comeBack(), left);
  open();
  return () => {
    clearTimeout(timer);
    left.abort();
    close();
  };
}

/** Opens the channel again, in a new session. */
export function renew(): void {
  close();
  comeBack();
}

export const reconnect = (): void => channel?.retry();

/** Holds messages back until the next call. */
export function togglePause(): void {
  isPaused.value = !isPaused.peek();
  tell();
}

/** Tells the channel which page is shown: `Job?id=j1`. */
export function lookAt(loc: string): void {
  place = loc;
  channel?.look(loc);
}

export function onLive(cmd: string, handler: Handler): () => void {
  const known = handlers.get(cmd) ?? new Set();
  handlers.set(cmd, known.add(handler));
  return () => known.delete(handler);
}

/**
 * Handles a command of the channel while the component is mounted: `useLive("status", ({ activeJobs }) => …)`. "back" comes after
 * updates may have been missed, as after a lost connection: load again what may have changed.
 */
export function useLive(cmd: string, handler: Handler): void {
  const newest = useRef(handler);
  newest.current = handler;
  useEffect(() => onLive(cmd, (data) => newest.current(data)), [cmd]);
}

/** Follows a page of the channel and handles its `page_update`s: `usePage("Job?id=j1", (cmd, data) => …)`. */
export function usePage(loc: string, handler: (cmd: string, data: Record<string, unknown>) => void): void {
  useEffect(() => {
    lookAt(loc);
    return () => lookAt("");
  }, [loc]);
  // The stream also carries updates for the pages of other windows.
  useLive("page_update", ({ loc: told, page_cmd, page_data }) => {
    if (isOnPage(loc, told)) handler(page_cmd, page_data ?? {});
  });
}
