import { PAGES } from "./options.ts";

/** The kind of file or page that a path asks for, and the part of it in front of the dashboard. */
export interface Place {
  readonly kind: "page" | "asset" | "api" | "boot";
  /** The mount point, without a slash at the end. */
  readonly base: string;
  /** Below the base, without a slash in front: `jobs/j1`, `app-1a2b.js`. */
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
  ["boot.json", "boot"],
]);

/**
 * Finds the mount point by the first step that is one of ours: nobody tells a handler where it was mounted. What holds no
 * such step is the first page of a mount of this path.
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

/** From a page to the base, as browsers understand it: `../` for each step below the first. */
export const wayUp = (rest: string): string => "../".repeat(rest.split("/").length - 1) || "./";
