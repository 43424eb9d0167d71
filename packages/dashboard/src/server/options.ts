import type { HostUser } from "@signalbox/core";
import type { Engine, RouterOptions } from "@signalbox/http-hono";

/** Sections of the navigation, by the first segment of their addresses. */
export const PAGES = [
  "alerts",
  "notices",
  "tickets",
  "events",
  "jobs",
  "workflows",
  "heartbeats",
  "servers",
  "groups",
  "snapshots",
  "checks",
  "alert-rules",
  "monitors",
  "channels",
  "web-hooks",
  "plugins",
  "secrets",
  "tags",
  "categories",
  "buckets",
  "people",
  "activity",
  "configuration",
  "guides",
  "system",
  "me",
] as const;
export type PageName = (typeof PAGES)[number];

/** An additional entry in the navigation, added by the host. */
export interface DashboardLink {
  readonly title: string;
  /** A path on the same origin, or an http or https address. */
  readonly href: string;
}

/**
 * Tells the dashboard whom the host has signed in. A user: the viewer, without our own sign-in. Undefined or null: nobody,
 * so our own sign-in applies. False: refused. A `Response` is sent instead of any page, such as a redirect to the host's
 * sign-in. After any other answer the handler rejects with a `TypeError`.
 */
export type Authorize = (
  request: Request,
  env: unknown,
) => HostUser | false | null | undefined | Response | Promise<HostUser | false | null | undefined | Response>;

export interface DashboardOptions {
  /** Shown above the navigation and in the title of the tab. Default: `client.name` of the configuration. */
  readonly title?: string;
  /** Path of an image on the same origin that replaces our logo. */
  readonly logo?: string;
  /** Nobody can change anything through this mount, not even administrators. Default false. */
  readonly readOnly?: boolean;
  readonly authorize?: Authorize;
  /** Additional entries at the end of the navigation. */
  readonly links?: readonly DashboardLink[];
  /** Sections to switch off: `{ secrets: false }`. */
  readonly pages?: Readonly<Partial<Record<PageName, boolean>>>;
  /** IANA name of the time zone in which times are shown. Default: the time zone of the viewer's browser. */
  readonly timeZone?: string;
  /**
   * The mount path. Needed only if one of its segments is the name of a page or `api`, as in `/system/jobs`; otherwise
   * it is found.
   */
  readonly basePath?: string;
  /** Options of the API below the mount. */
  readonly api?: Omit<RouterOptions, "apiBase" | "filesPath" | "resolveUser">;
}

const KNOWN = ["title", "logo", "readOnly", "authorize", "links", "pages", "timeZone", "basePath", "api"];

/** Throws `TypeError` for an unknown or invalid option. */
export function checkOptions(options: DashboardOptions): void {
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (unknown) throw new TypeError(`createDashboard: there is no option ${unknown}; it takes ${KNOWN.join(", ")}`);
  const page = Object.keys(options.pages ?? {}).find((name) => !(PAGES as readonly string[]).includes(name));
  if (page) throw new TypeError(`createDashboard: there is no page ${page}`);
  for (const { href, title } of options.links ?? [])
    if (!isSafeAddress(href)) throw new TypeError(`createDashboard: the link ${title} needs a path or an http address`);
  if (options.logo !== undefined && !/^\/(?!\/)/.test(options.logo))
    throw new TypeError("createDashboard: logo must be a path of the same origin");
  if (options.timeZone !== undefined) checkZone(options.timeZone);
}

const isSafeAddress = (href: string): boolean => /^(?:https?:\/\/|\/(?!\/))/i.test(href);

function checkZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
  } catch {
    throw new TypeError(`createDashboard: there is no time zone ${timeZone}`);
  }
}

/** The part of an engine that the dashboard uses. */
export type DashboardEngine = Engine;

/** The viewer as the pages know them. The engine decides at each call what they may do. */
export interface Viewer {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly privileges: Readonly<Record<string, true>>;
  readonly categories: readonly string[];
  readonly groups: readonly string[];
}
