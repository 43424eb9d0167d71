import { signal } from "@preact/signals";
import { base } from "../data/calls/boot.ts";
import { isGuarded, mayLeave } from "./entries.ts";
import { pathTo } from "./match.ts";
import { peerLink } from "./peer-links.ts";

interface Place {
  /** Below the base, beginning with a slash. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Without the `#`: `L120`. */
  readonly hash: string;
}

const read = (): Place => ({
  path: location.pathname.slice(base.length).replace(/\/+$/, "") || "/",
  query: Object.fromEntries(new URLSearchParams(location.search)),
  hash: location.hash.slice(1),
});

/** The current address. A component that reads it renders again when it changes. */
export const place = signal<Place>(read());

/** Address for a link: `href("/jobs", { q: "tags:_error" })`. */
export const href = (path: string, query: Readonly<Record<string, string | undefined>> = {}): string =>
  base + pathTo(path, query);

/** Goes to an address below the base. Adds a history entry, unless `replace` is true. */
export async function go(path: string, { replace = false } = {}): Promise<void> {
  if (!(await mayLeave())) return;
  history[replace ? "replaceState" : "pushState"](null, "", base + path);
  const before = place.peek().path;
  place.value = read();
  if (place.peek().path !== before) scrollTo(0, 0);
}

let isAsking = false;

/**
 * When the browser reports "back" or "forward", the address has changed already. While it asks whether the page may be left, the
 * old address is pushed as a new entry; if it may, "back" leads from there to the wanted one.
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

/**
 * Changes query parameters, which hold filters, sorting and tabs; removes empty ones. Adds a history entry only with `push`:
 * nobody wants "back" to undo each letter.
 */
export function setQuery(change: Readonly<Record<string, string | undefined>>, { push = false } = {}): void {
  const { path, query, hash } = place.peek();
  const address = base + pathTo(path, { ...query, ...change }) + (hash ? `#${hash}` : "");
  history[push ? "pushState" : "replaceState"](null, "", address);
  place.value = read();
}

/** Replaces a link in the other system's form by the path here. */
function follow(): void {
  const target = peerLink(location.hash);
  if (target !== undefined) history.replaceState(null, "", base + target);
  place.value = read();
}

/** True for a click that the router handles instead of the browser. */
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
