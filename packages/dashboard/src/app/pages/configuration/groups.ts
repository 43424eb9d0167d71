import { bytes, duration, number } from "../../texts/format.ts";

/** Groups of related settings, in the order of the page. */
export const GROUPS = [
  "general",
  "web",
  "people",
  "jobs",
  "alerts",
  "tickets",
  "fleet",
  "mail",
  "hooks",
  "storage",
  "safety",
] as const;
export type SettingGroup = (typeof GROUPS)[number];

/** The first match decides. Settings of library plugins are unknown here and match none. */
const RULES: readonly (readonly [SettingGroup, RegExp])[] = [
  ["tickets", /^(?:client\.)?(?:new_)?tickets?[._]/],
  ["jobs", /^client\.(?:job_upload|new_event)/],
  ["storage", /^client\.bucket_upload/],
  ["general", /^client\./],
  ["people", /^(?:User\.|default_user_)/],
  ["fleet", /^(?:satellite\.|cluster\.|ping_|quick_|minute_ring_|hostname_display|ip_display|local_api_)/],
  ["hooks", /^(?:web_hooks?[._]|hook_|hooks$)/],
  ["mail", /^(?:e?mail_|max_emails_)/],
  ["alerts", /^(?:alert_|checks\.|notices\.|stale_alert_|action_timeout$)/],
  ["jobs", /^(?:jobs?_|max_jobs_|max_inline_job_|dead_job_|drain_|min_startup_|run_event_|scheduler_)/],
  ["storage", /^(?:db_maint\.|file_expiration$|log_archive_|maintenance$|timeline_)/],
  ["safety", /^(?:secrets\.|airgap\.|plugins\.|default_plugin_)/],
  ["web", /^(?:api\.|WebServer\.|files\.|base_(?:api|app)_url$|ttl$|redirect_)/],
  ["general", /^(?:debug|locale|presets|tz)$/],
];

/** Group of a setting; undefined for settings that the engine does not know. */
export const groupOf = (path: string): SettingGroup | undefined => RULES.find(([, rule]) => rule.test(path))?.[0];

/** Unit of a numeric setting. */
export type Unit = "bytes" | "seconds" | "milliseconds" | "hours" | "days";

/** Reads the unit from a setting's description: the description of every number begins with its unit. */
export const unitOf = (meaning: string): Unit | undefined =>
  /^(bytes|seconds|milliseconds|hours|days)\b/i.exec(meaning)?.[1]?.toLowerCase() as Unit | undefined;

const SECONDS: Readonly<Record<Exclude<Unit, "bytes">, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  hours: 3600,
  days: 86_400,
};

/** Formats a number for people ("16 MB", "5 min"); undefined if that would add nothing to the plain number. */
export function inWords(value: unknown, unit: Unit | undefined): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0 || unit === undefined) return undefined;
  if (unit === "milliseconds" && value < 1000) return `${number(value)} ms`;
  return unit === "bytes" ? bytes(value) : duration(value * SECONDS[unit]);
}
