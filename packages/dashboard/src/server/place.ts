import { PAGES } from "./options.ts";

/** What a path asks for, and how much of it lies in front of the dashboard. */
export interface Place {
  readonly kind: "page" | "asset" | "api" | "boot";
  /** The mount point, without a slash at the end. */
  readonly base: string;
  /** Below the base, without a slash in front: `jobs/j1`, `app-1a2b.js`. */
  readonly rest: string;
}

const OWN = new Map<string, Place["kind"]>([
  ["assets", "asset"],
  ["api", "api"],
  ["files", "api"],
  ["health", "api"],
  ["ready", "api"],
  ["metrics", "api"],
  ["boot.json", "boot"],
]);
const SECTIONS: ReadonlySet<string> = new Set(["login", ...PAGES]);

/** The path of the URL of a request, which is written as `URL` would write it: to parse it again would cost more. */
export function pathOf(url: string): string {
  const [whole = ""] = url.split(/[?#]/, 1);
  return whole.slice(whole.indexOf("/", whole.indexOf("://") + 3));
}

/**
 * Finds the mount point by the first step that is one of ours: nobody tells a handler where it was mounted. What holds no
 * such step is the first page of a mount of this path.
 */
export function placeOf(path: string, basePath = ""): Place {
  const steps = path.split("/");
  const first = basePath && path.startsWith(`${basePath}/`) ? basePath.split("/").length : 1;
  const at = steps.findIndex((step, index) => index >= first && (OWN.has(step) || SECTIONS.has(step)));
  if (at === -1) return { kind: "page", base: path.replace(/\/+$/, ""), rest: "" };
  const [step = ""] = steps.slice(at);
  const base = steps.slice(0, at).join("/");
  const kind = OWN.get(step) ?? "page";
  return { kind, base, rest: steps.slice(kind === "asset" ? at + 1 : at).join("/") };
}

/** From a page to the base, as browsers understand it: `../` for each step below the first. */
export const wayUp = (rest: string): string => "../".repeat(rest.split("/").length - 1) || "./";
