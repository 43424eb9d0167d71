import { PAGES } from "./options.ts";

/** What a path asks for, and where the dashboard is mounted in it. */
export interface Place {
  readonly kind: "page" | "asset" | "api" | "boot";
  /** The mount point, without a trailing slash. */
  readonly base: string;
  /** The path below the base, without a leading slash: `jobs/j1`, `app-1a2b.js`. */
  readonly rest: string;
}

const STEPS = new Map<string, Place["kind"]>([
  ...["login", ...PAGES].map((page) => [page, "page"] as const),
  ["assets", "asset"],
  ["api", "api"],
  ["files", "api"],
  ["health", "api"],
  ["ready", "api"],
  ["metrics", "api"],
  ["server-status", "api"],
  ["boot.json", "boot"],
]);

/**
 * Finds the mount point at the first path segment that is one of ours, because a handler is not told where it was
 * mounted. A path without such a segment is the first page of a dashboard mounted at this path.
 */
export function placeOf(path: string, basePath = ""): Place {
  const mount = basePath.replace(/\/+$/, "");
  let start = mount && `${path}/`.startsWith(`${mount}/`) ? mount.length + 1 : 1;
  while (start <= path.length) {
    const slash = path.indexOf("/", start);
    const end = slash === -1 ? path.length : slash;
    const kind = STEPS.get(path.slice(start, end));
    if (kind) return { kind, base: path.slice(0, start - 1), rest: path.slice(kind === "asset" ? end + 1 : start) };
    start = end + 1;
  }
  return { kind: "page", base: path.replace(/\/+$/, ""), rest: "" };
}

/** Relative path from a page to the base: `../` for each segment below the first. */
export const wayUp = (rest: string): string => "../".repeat(rest.split("/").length - 1) || "./";
