import type { HostUser } from "@signalbox/core";
import type { Engine, RouterOptions } from "@signalbox/http-hono";

/** Sections of the navigation, as the first step of their addresses. */
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

/** An entry of the host's own in the navigation. */
export interface DashboardLink {
  readonly title: string;
  /** A path of the same origin, or an address with http or https. */
  readonly href: string;
}

/**
 * Whom the host has signed in. A user: this one looks, without a login of ours. Undefined: nobody, so our own login
 * counts. False: refused. A response is sent in place of everything, such as a redirect to the host's own login.
 */
export type Authorize = (
  request: Request,
  env: unknown,
) => HostUser | false | undefined | Response | Promise<HostUser | false | undefined | Response>;

export interface DashboardOptions {
  /** Stands above the navigation and in the title of the tab. Default: `client.name` of the configuration. */
  readonly title?: string;
  /** Address of a picture on the same origin that takes the place of our sign. */
  readonly logo?: string;
  /** Nobody can change anything through this mount, administrators included. Default false. */
  readonly readOnly?: boolean;
  readonly authorize?: Authorize;
  /** Further entries at the end of the navigation. */
  readonly links?: readonly DashboardLink[];
  /** Sections that are switched off: `{ secrets: false }`. */
  readonly pages?: Readonly<Partial<Record<PageName, boolean>>>;
  /** IANA name of the zone in which times are shown. Default: the zone of the viewer's browser. */
  readonly timeZone?: string;
  /** The mount path, if a step of it is the name of a page or `api`: `/system/jobs`. Otherwise it is found. */
  readonly basePath?: string;
  /** Options of the API that the pages call below the mount. */
  readonly api?: Omit<RouterOptions, "apiBase" | "filesPath" | "resolveUser">;
}

const KNOWN = ["title", "logo", "readOnly", "authorize", "links", "pages", "timeZone", "basePath", "api"];

/** Throws `TypeError` for an option that there is not, or that cannot be used. */
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

/** The viewer as the pages know them; the engine decides at each call what they may do. */
export interface Viewer {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly privileges: Readonly<Record<string, true>>;
  readonly categories: readonly string[];
  readonly groups: readonly string[];
}
