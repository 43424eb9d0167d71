import { signal } from "@preact/signals";
import { base } from "../data/calls/boot.ts";
import { pathTo } from "./match.ts";
import { peerLink } from "./peer-links.ts";

interface Place {
  /** Below the base, with a slash in front. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Without its sign: `L120`. */
  readonly hash: string;
}

const read = (): Place => ({
  path: location.pathname.slice(base.length).replace(/\/+$/, "") || "/",
  query: Object.fromEntries(new URLSearchParams(location.search)),
  hash: location.hash.slice(1),
});

/** The viewer's place. A component that reads it is drawn again when the address changes. */
export const place = signal<Place>(read());

/** Parts of the page with unsaved input, each with its question before the page is left: one of them is asked for all. */
const guards = new Set<() => Promise<boolean>>();

/** Whether the page may be left; nothing of it asks again then. */
async function mayLeave(): Promise<boolean> {
  const ask = [...guards].at(-1);
  if (ask && !(await ask())) return false;
  giveUpEntries();
  return true;
}

/** Browsers ask in words of their own before the tab is closed or loaded anew. */
const onClosing = (event: Event): void => event.preventDefault();

/** Listens for the end of the page as long as something would be lost: some browsers keep no page for "back" that always does. */
function watchClosing(): void {
  if (guards.size > 0) addEventListener("beforeunload", onClosing);
  else removeEventListener("beforeunload", onClosing);
}

/** Takes all questions back: the page is left with its entries. */
export function giveUpEntries(): void {
  guards.clear();
  watchClosing();
}

/** Address for a link: `href("/jobs", { q: "tags:_error" })`. */
export const href = (path: string, query: Readonly<Record<string, string | undefined>> = {}): string =>
  base + pathTo(path, query);

/** Goes to an address below the base: a step that "back" takes back, unless `replace` says otherwise. */
export async function go(path: string, { replace = false } = {}): Promise<void> {
  if (!(await mayLeave())) return;
  history[replace ? "replaceState" : "pushState"](null, "", base + path);
  const before = place.peek().path;
  place.value = read();
  if (place.peek().path !== before) scrollTo(0, 0);
}

let isAsking = false;

/**
 * The buttons of the browser have left already when they are told of: the address comes back until it is known whether the
 * page may be left, and is a step of its own then, behind the one that was wanted.
 */
async function leaveByHistory(): Promise<void> {
  const wanted = read();
  const { path, query, hash } = place.peek();
  if (!isGuarded() || wanted.path === path) {
    place.value = wanted;
    return;
  }
  history.pushState(null, "", base + pathTo(path, query) + (hash ? `#${hash}` : ""));
  if (isAsking) return;
  isAsking = true;
  const isFree = await mayLeave().finally(() => {
    isAsking = false;
  });
  if (isFree) history.back();
}

/** True while something would be lost with the page. */
export const isGuarded = (): boolean => guards.size > 0;

/** Asks before the page is left: the function resolves to whether it may be. Returns the function that takes the question back. */
export function guardLeaving(ask: () => Promise<boolean>): () => void {
  guards.add(ask);
  watchClosing();
  return () => {
    guards.delete(ask);
    watchClosing();
  };
}

/**
 * Changes members of the query, where filters, sorting and tabs are kept; empty ones go. A step of its own only with
 * `push`: nobody wants "back" to undo each letter.
 */
export function setQuery(change: Readonly<Record<string, string | undefined>>, { push = false } = {}): void {
  const { path, query, hash } = place.peek();
  const address = base + pathTo(path, { ...query, ...change }) + (hash ? `#${hash}` : "");
  history[push ? "pushState" : "replaceState"](null, "", address);
  place.value = read();
}

/** Rewrites a link of the other system's form in place. */
function follow(): void {
  const target = peerLink(location.hash);
  if (target !== undefined) history.replaceState(null, "", base + target);
  place.value = read();
}

/** True for a click that the browser should not follow itself. */
function isOurs(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!isPlain || event.defaultPrevented || link.target || link.hasAttribute("download")) return false;
  const { origin, pathname, hash } = link;
  const isBelow = pathname === base || pathname.startsWith(`${base}/`);
  const isServed = /^\/(?:api|files|assets)\//.test(pathname.slice(base.length));
  return origin === location.origin && isBelow && !isServed && !(hash && pathname === location.pathname);
}

export function startRouter(): void {
  follow();
  addEventListener("hashchange", follow);
  addEventListener("popstate", () => void leaveByHistory());
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || !isOurs(event, link)) return;
    event.preventDefault();
    void go(link.pathname.slice(base.length) + link.search + link.hash);
  });
}
