import { boot, can, isAdmin } from "../data/calls/session.ts";
import type { PageEntry } from "../pages/page.ts";
import { match, type Params } from "./match.ts";

let pages: readonly PageEntry[] = [];

/** Called once at the start. Pages import this module, so it cannot import them. */
export const setPages = (known: readonly PageEntry[]): void => {
  pages = known;
};

/** All pages, including ones that the viewer may not open. */
export const allPages = (): readonly PageEntry[] => pages;

export interface Found {
  readonly entry: PageEntry;
  readonly route: string;
  readonly params: Params;
}

const isSwitchedOff = ({ name }: PageEntry): boolean => boot.value?.pages[name] === false;

/** False for pages that the host has switched off or the viewer may not open. */
export function isOffered(entry: PageEntry): boolean {
  const { needs } = entry;
  if (isSwitchedOff(entry)) return false;
  if (needs === undefined) return true;
  return needs === "admin" ? isAdmin() : can(needs);
}

/** The page of an address below the base; undefined if there is none for the viewer. */
export function findPage(path: string): Found | undefined {
  for (const entry of pages)
    for (const route of entry.routes) {
      const params = match(route, path);
      if (params && isOffered(entry)) return { entry, route, params };
      // The form for a new record is not the record with the id "new".
      if (params && route === path) return undefined;
    }
  return undefined;
}

/** True for the address of a page that exists but that the viewer may not open. */
export const isForOthers = (path: string): boolean =>
  pages.some((entry) => !isSwitchedOff(entry) && !isOffered(entry) && entry.routes.some((route) => match(route, path)));

/** True when there is a page, so that links to missing ones are left out. */
export const hasPage = (path: string): boolean => findPage(path) !== undefined;
