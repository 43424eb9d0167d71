import type { Group } from "../../../directory/groups/model.ts";
import { formatBytes } from "../../../expressions/text-formats.ts";
import type { HostRecord, Server } from "../../servers/model.ts";
import type { SilencedBy } from "../../silences/model.ts";
import type { Alert, Invocation, Notification } from "../model.ts";

type Data = Readonly<Record<string, unknown>>;

export interface HookSources {
  readonly alert: Alert;
  readonly invocation: Invocation;
  readonly notification: Notification;
  /** Undefined = the server is no longer known. */
  readonly server: Server | undefined;
  readonly record: HostRecord | undefined;
  readonly groups: readonly Group[];
  readonly baseUrl: string;
  readonly clientConfig: Data;
  readonly emailFrom: unknown;
  /** Remove the parts of names that the configuration strips. */
  readonly strip: { readonly hostname: (text: string) => string; readonly ip: (text: string) => string };
  /** Formats a time (Unix seconds) in the zone and language of the installation. */
  readonly formatDate: (seconds: number) => string;
  readonly eventTitle: (id: string) => string | undefined;
}

const NONE = "(None)";
const UNKNOWN = "n/a";

const memberOf = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (current, name) => (typeof current === "object" && current !== null ? (current as Data)[name] : undefined),
    value,
  );
const textOr = (value: unknown, fallback: string): string =>
  typeof value === "string" && value !== "" ? value : fallback;

/**
 * Data of an alert for templates, web hooks and plugins (docs/contract/alerts.md#template-data), without `text`.
 * Complete even when readings are missing.
 */
export function alertHookData(sources: HookSources): Record<string, unknown> {
  const { alert, invocation, notification, server, record } = sources;
  const { condition, active_jobs, elapsed } = notification;
  return {
    template: notification.stale ? "alert_stale" : condition,
    def: alert,
    alert_def: alert,
    alert: invocation,
    global_alert: invocation,
    server: server ?? { id: invocation.server, groups: invocation.groups },
    params: record ?? { data: {} },
    ...(active_jobs ? { active_jobs } : {}),
    ...(elapsed === undefined ? {} : { elapsed, nice_elapsed: largestUnit(elapsed) }),
    nice_since: sinceText(notification),
    nice_message: `${textOr(invocation.message, UNKNOWN)}${sinceText(notification)}`,
    date_time: sources.formatDate(condition === "alert_new" ? invocation.date : invocation.modified),
    ...niceNames(sources),
    ...niceReadings(sources),
    nice_notes: textOr(alert.notes, NONE),
    nice_active_jobs: jobLinks(sources),
    links: {
      server_url: subjectUrl(sources),
      alert_url: `${sources.baseUrl}/#Alerts?id=${invocation.id}`,
    },
    config: { email_from: sources.emailFrom, client: sources.clientConfig },
  };
}

/** Page of each type of subject that is not a server. */
const PAGES = { event: "#Events?sub=view&id=", heartbeat: "#Heartbeats?id=", check: "#Checks?id=" } as const;

const subjectUrl = ({ baseUrl, invocation: { server, subject } }: HookSources): string =>
  `${baseUrl}/${subject ? `${PAGES[subject.type]}${subject.id}` : `#Server?id=${server}`}`;

/** Suffix for repeated or delayed notifications: how long the firing has lasted, and the hold that delayed it. */
function sinceText({ condition, elapsed, late }: Notification): string {
  if (condition !== "alert_new" || elapsed === undefined) return "";
  return ` (for ${largestUnit(elapsed)}${late ? `; not told before: ${heldText(late)}` : ""})`;
}

function heldText({ kind, id, title }: SilencedBy): string {
  switch (kind) {
    case "silence":
      return `silence "${title}"`;
    case "job":
      return `job ${id} kept the server quiet`;
    case "snooze":
      return "alerts were snoozed";
    case "acknowledgement":
      return `${id} had acknowledged it`;
    case "delay":
      return "it was too short";
    case "dependency":
      return id === "" ? title : `${title} was firing`;
    case "inhibition":
      return `"${title}" said more`;
  }
}

/** Adds the text under the three names that common chat services expect. */
export function withHookText(data: Record<string, unknown>, text: string): Record<string, unknown> {
  return { ...data, text, content: text, message: text };
}

function niceNames({ server, record, invocation, groups, strip }: HookSources): Record<string, string> {
  const hostname =
    invocation.subject?.title ?? strip.hostname(server?.hostname ?? record?.hostname ?? invocation.server);
  const titles = (record?.groups ?? invocation.groups).map(
    (id) => groups.find((group) => group.id === id)?.title ?? `(${id})`,
  );
  return {
    nice_groups: titles.length > 0 ? titles.join(", ") : NONE,
    nice_hostname: hostname,
    nice_ip: strip.ip(server?.ip ?? record?.ip ?? UNKNOWN),
    nice_server: server?.title ? `${server.title} (${hostname})` : hostname,
  };
}

function niceReadings({ record, server }: HookSources): Record<string, string> {
  const data = record?.data;
  const load = memberOf(data, "load", 0);
  const uptime = memberOf(data, "uptime_sec");
  const info = server?.info;
  return {
    nice_load_avg: typeof load === "number" ? load.toFixed(2) : UNKNOWN,
    nice_mem_total: byteText(memberOf(data, "memory", "total")),
    nice_mem_avail: byteText(memberOf(data, "memory", "available")),
    nice_uptime: typeof uptime === "number" ? largestUnit(uptime) : UNKNOWN,
    nice_cpu: cpuText(info),
    nice_os: [memberOf(info, "os", "distro"), memberOf(info, "os", "release")].filter(Boolean).join(" ") || UNKNOWN,
    nice_virt: virtText(info),
    nice_cores: coresText(memberOf(info, "cpu", "cores") ?? memberOf(data, "cpu", "cores")),
    nice_root_disk: useText(memberOf(data, "mounts", "root", "use")),
  };
}

const byteText = (value: unknown): string => (typeof value === "number" ? formatBytes(value) : UNKNOWN);

const coresText = (cores: unknown): string => (typeof cores === "number" ? String(cores) : UNKNOWN);

const useText = (use: unknown): string => (typeof use === "number" ? `${Math.round(use * 10) / 10}% in use` : UNKNOWN);

function cpuText(info: Data | undefined): string {
  const combo = textOr(memberOf(info, "cpu", "combo"), UNKNOWN);
  const arch = textOr(memberOf(info, "os", "arch"), "");
  return arch === "" ? combo : `${combo} (${arch})`;
}

function virtText(info: Data | undefined): string {
  const vendor = textOr(memberOf(info, "virt", "vendor"), "");
  if (vendor === "") return NONE;
  const details = [memberOf(info, "virt", "type"), memberOf(info, "virt", "location")].filter(Boolean);
  return details.length > 0 ? `${vendor} (${details.join(", ")})` : vendor;
}

function jobLinks({ notification, invocation, baseUrl, eventTitle }: HookSources): string {
  const known = notification.active_jobs?.map(({ id, event }) => ({ id, title: eventTitle(event) ?? id }));
  const jobs = known && known.length > 0 ? known : invocation.jobs.map((id) => ({ id, title: id }));
  if (jobs.length === 0) return NONE;
  return jobs.map(({ id, title }) => `- [${title}](${baseUrl}/#Job?id=${id})`).join("\n");
}

const UNITS: readonly (readonly [string, number])[] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Text such as "2 days", with only the largest unit (docs/contract/expressions.md#texts-of-numbers). */
export function largestUnit(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ["second", 1];
  const amount = Math.floor(seconds / size);
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}
