import * as z from "zod";
import { DEFAULT_HOOK_TEXTS, DEFAULT_QUICK_MONITORS } from "./config-defaults.ts";
import { checkShellHooks } from "./config-hooks.ts";
import { airgapSection, apiSection, satelliteSection, webHookTargets } from "./config-network.ts";
import {
  clientSection,
  credentialsSection,
  filesSection,
  isLocale,
  isZone,
  laterKeys,
  pattern,
  pluginsSection,
  retentionSection,
  secretsSection,
  userSection,
  webServerSection,
} from "./config-sections.ts";

const action = z.looseObject({ enabled: z.boolean(), condition: z.string(), type: z.string() });
const limit = z.looseObject({ enabled: z.boolean(), type: z.string() });
const quickMonitor = z.looseObject({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  type: z.enum(["integer", "float", "bytes", "seconds", "milliseconds"]),
  data_match: z.string().optional(),
  suffix: z.string().optional(),
  min_vert_scale: z.number().optional(),
  delta: z.boolean().optional(),
  delta_min_value: z.union([z.number(), z.literal(false)]).optional(),
  divide_by_delta: z.boolean().optional(),
});
/** One of the readings that are taken each second. */
export type QuickMonitor = z.infer<typeof quickMonitor>;

const universal = (fallback: z.infer<typeof action>[]) =>
  z.looseObject({ default: z.array(action).default(fallback), workflow: z.array(action).default([]) }).prefault({});
const universalLimits = z
  .looseObject({ default: z.array(limit).default([]), workflow: z.array(limit).default([]) })
  .prefault({});

const members = z.looseObject({
  base_app_url: z.string().default("http://localhost:5522").describe("Where people reach the service, for links."),
  debug: z
    .boolean()
    .default(false)
    .describe("Checks the answer of every operation against its schema; for tests and development."),
  presets: z.boolean().default(true).describe("Writes the default definitions into a fresh store."),
  api: apiSection,
  WebServer: webServerSection,
  files: filesSection,
  User: userSection,
  secrets: secretsSection,
  client: clientSection,
  default_user_privileges: z
    .record(z.string(), z.boolean())
    .default({
      create_events: true,
      edit_events: true,
      run_jobs: true,
      tag_jobs: true,
      create_tickets: true,
      edit_tickets: true,
    })
    .describe("Privileges of new accounts."),
  default_user_prefs: z.record(z.string(), z.unknown()).default({}).describe("Further members of new accounts."),
  default_plugin_credentials: credentialsSection,
  plugins: pluginsSection,
  job_universal_actions: universal([{ enabled: true, condition: "error", type: "snapshot" }]).describe(
    "Actions of every job, after those of its event and category.",
  ),
  job_universal_limits: universalLimits.describe("Limits of every job, where its event and category set none."),
  alert_universal_actions: z
    .array(action)
    .default([{ enabled: true, hidden: true, condition: "alert_new", type: "snapshot" }])
    .describe("Actions of every alert."),
  alert_stale_actions: z.boolean().default(false).describe("Runs actions for alerts that end for lack of readings."),
  job_env: z.record(z.string(), z.string()).default({}).describe("Environment of every job."),
  hook_text_templates: z
    .record(z.string(), z.string())
    .default(DEFAULT_HOOK_TEXTS)
    .describe("Texts that hooks and mails begin with, by what happened; may hold macros."),
  mail_templates: z
    .record(z.string(), z.string())
    .default({})
    .describe("Texts of mails in Markdown, by name, in place of the built-in ones; may hold macros."),
  hook_env_enabled: z.boolean().default(false).describe("Lets hook texts read the environment of jobs."),
  web_hook_custom_opts: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("Members under those of every web hook: timeout, retries, headers …"),
  web_hook_dynamic_host: z.boolean().default(false).describe("Lets macros other than secrets give the host of a hook."),
  web_hooks: webHookTargets,
  airgap: airgapSection,
  satellite: satelliteSection,
  db_maint: retentionSection,
  quick_monitors: z.array(quickMonitor).default(DEFAULT_QUICK_MONITORS).describe("Readings of every second."),
  quick_max: z.int().positive().max(3600).default(60).describe("Quick samples kept per server."),
  timeline_expiration: z.string().default("10 years").describe("Text duration that readings are kept."),
  tz: z
    .string()
    .refine(isZone, { error: "not a time zone" })
    .optional()
    .describe("IANA name of the zone of schedules and days; absent = the zone of the process."),
  locale: z
    .string()
    .refine(isLocale, { error: "not a locale" })
    .default("en-US")
    .describe("BCP 47 name of how texts write numbers and dates."),
  maintenance: z
    .string()
    .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/)
    .default("04:00")
    .describe("Local time of the daily clean-up."),
  scheduler_stagger_ms: z
    .number()
    .nonnegative()
    .default(50)
    .describe("Milliseconds between the starts of scheduled jobs that are due at once, on average of a second."),
  scheduler_dst: z
    .enum(["once", "wall"])
    .default("once")
    .describe("When clocks change: schedules run once for every time of the wall, or follow what the wall shows."),
  run_event_overrides: z
    .enum(["open", "strict"])
    .default("open")
    .describe("Whether callers of `run_event` without `edit_events` may override more than parameters and input."),
  min_startup_trigger_uptime: z
    .string()
    .default("5 minutes")
    .describe("Text duration: startup triggers are skipped when the engine has been up longer."),
  max_jobs_per_min: z
    .int()
    .nonnegative()
    .default(100)
    .describe("Starts of jobs in one minute, of all events together; 0 = unlimited."),
  dead_job_timeout: z.number().positive().default(120).describe("Seconds of silence after which a job counts as lost."),
  stale_alert_timeout: z.number().positive().default(90).describe("Seconds without readings that end an alert."),
  drain_timeout_sec: z
    .number()
    .nonnegative()
    .default(0)
    .describe("Seconds that a stop waits for jobs that run inside this process, before they are aborted."),
  action_timeout: z.number().positive().default(300).describe("Seconds that one action may take."),
  max_inline_job_log_size: z
    .union([z.string(), z.number()])
    .default("1 MB")
    .describe("Size up to which a job's log is part of its details."),
  ping_freq_sec: z
    .number()
    .positive()
    .default(5)
    .describe("Seconds between pings to agents; more than 30 count as 30."),
  ping_timeout_sec: z.number().positive().default(30).describe("Seconds of silence after which an agent is gone."),
  hostname_display_strip: pattern()
    .default("\\.[\\w\\-]+\\.\\w+$")
    .describe("Pattern of what names of servers are shown without."),
  ip_display_strip: pattern().default("^::ffff:").describe("Pattern of what addresses are shown without."),
  email_from: z.string().default("admin@localhost").describe("Sender of mails."),
  ...laterKeys,
});

/** Configuration (docs/contract/configuration.md). Every key is optional here; unknown keys are kept and readable. */
export const configSchema = members.superRefine(checkShellHooks);

/** The configuration with all defaults filled in. */
export type Config = z.infer<typeof configSchema>;
/** What a host may give: every member optional. */
export type ConfigInput = z.input<typeof configSchema>;

/** Throws `Error` naming the path of the first wrong member. */
export function parseConfig(input: unknown): Config {
  // Read once, so code made for this one schema would cost more than it saves.
  const result = configSchema.safeParse(input ?? {}, { jitless: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`Configuration ${issue?.path.join(".") || "(root)"}: ${issue?.message ?? "malformed"}`);
}
