import * as z from "zod";

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
export type QuickMonitor = z.infer<typeof quickMonitor>;

const rate = (id: string, title: string, source: string) => ({
  id,
  title,
  source,
  type: "bytes" as const,
  suffix: "/sec",
  min_vert_scale: 1024,
  delta: true,
  delta_min_value: 0,
  divide_by_delta: true,
});

/** Part 20 §5. */
const DEFAULT_QUICK_MONITORS: QuickMonitor[] = [
  { id: "_qm_cpu_load", title: "CPU Load Average", source: "cpu.avgLoad", type: "float", min_vert_scale: 1 },
  {
    id: "_qm_cpu_usage",
    title: "CPU Usage %",
    source: "cpu.currentLoad",
    type: "float",
    suffix: "%",
    min_vert_scale: 100,
  },
  { id: "_qm_mem_used", title: "Memory in Use", source: "mem.used", type: "bytes" },
  { id: "_qm_mem_avail", title: "Memory Available", source: "mem.available", type: "bytes" },
  rate("_qm_disk_read_sec", "Disk Read (Bytes)", "fs.rx"),
  rate("_qm_disk_write_sec", "Disk Write (Bytes)", "fs.wx"),
  rate("_qm_net_in_sec", "Network In (Bytes)", "net.rx"),
  rate("_qm_net_out_sec", "Network Out (Bytes)", "net.tx"),
];

/** Part 33 §7, part 22 §7.3: the words are ours, the macros are the contract's. */
const DEFAULT_HOOK_TEXTS = {
  job_start: "{{event.title}} has started on {{nice_server}}: {{links.job_details}}",
  job_success: "{{event.title}} succeeded on {{nice_server}}: {{links.job_details}}",
  job_error:
    "{{event.title}} failed on {{nice_server}} with code {{job.code}}: {{job.description}}: {{links.job_details}}",
  job_progress: "{{event.title}} is running on {{nice_server}}: {{links.job_details}}",
  job_suspended: "{{event.title}} waits for approval: {{links.job_details}}&resume=1",
  job_limited: "{{action.msg}}: {{links.job_details}}",
  alert_new: "Alert on {{nice_server}}: {{def.title}}: {{alert.message}}: {{links.alert_url}}",
  alert_cleared: "Alert over on {{nice_server}}: {{def.title}}",
};

const api = z
  .looseObject({
    max_json_size: z.int().positive().default(16_777_216),
    max_record_size: z.int().positive().default(1_048_576),
    key_length: z.int().min(24).max(256).default(24),
    cors: z.enum(["compat", "host"]).default("compat"),
    trusted_proxies: z.array(z.string()).default(["loopback", "private"]),
  })
  .prefault({});

const webServer = z
  .looseObject({
    max_upload_size: z.int().positive().default(1_073_741_824),
    response_headers: z.record(z.string(), z.string()).default({}),
    server_signature: z.string().optional(),
  })
  .prefault({});

const client = z.looseObject({ name: z.string().default("Signalbox") }).prefault({});

const universal = (fallback: z.infer<typeof action>[]) =>
  z.looseObject({ default: z.array(action).default(fallback), workflow: z.array(action).default([]) }).prefault({});
const universalLimits = z
  .looseObject({ default: z.array(limit).default([]), workflow: z.array(limit).default([]) })
  .prefault({});

/** Configuration (part 10 §17). Every key is optional here; unknown keys are kept and readable. */
export const configSchema = z.looseObject({
  base_app_url: z.string().default("http://localhost:5522"),
  /** Checks the answer of every operation against its output schema. For tests and development. */
  debug: z.boolean().default(false),
  /** Writes the default tags, category, group, monitors, alerts and plugins into a fresh store. */
  presets: z.boolean().default(true),
  api,
  WebServer: webServer,
  client,
  default_user_privileges: z.record(z.string(), z.boolean()).default({
    create_events: true,
    edit_events: true,
    run_jobs: true,
    tag_jobs: true,
    create_tickets: true,
    edit_tickets: true,
  }),
  job_universal_actions: universal([{ enabled: true, condition: "error", type: "snapshot" }]),
  job_universal_limits: universalLimits,
  alert_universal_actions: z
    .array(action)
    .default([{ enabled: true, hidden: true, condition: "alert_new", type: "snapshot" }]),
  alert_stale_actions: z.boolean().default(false),
  job_env: z.record(z.string(), z.string()).default({}),
  hook_text_templates: z.record(z.string(), z.string()).default(DEFAULT_HOOK_TEXTS),
  hook_env_enabled: z.boolean().default(false),
  web_hook_custom_opts: z.record(z.string(), z.unknown()).default({}),
  web_hook_dynamic_host: z.boolean().default(false),
  quick_monitors: z.array(quickMonitor).default(DEFAULT_QUICK_MONITORS),
  /** Quick samples kept per server. */
  quick_max: z.int().positive().max(3600).default(60),
  timeline_expiration: z.string().default("10 years"),
  /** IANA name; absent = the zone of the process. */
  tz: z.string().optional(),
  locale: z.string().default("en-US"),
  maintenance: z.string().default("04:00"),
  scheduler_stagger_ms: z.number().nonnegative().default(50),
  /** Whether callers of run_event without edit_events may override more than parameters and input (part 30 §7.7). */
  run_event_overrides: z.enum(["open", "strict"]).default("open"),
  /** Text duration: startup triggers are skipped when the engine has been up longer (part 30 §5.4). */
  min_startup_trigger_uptime: z.string().default("5 minutes"),
  max_jobs_per_min: z.int().nonnegative().default(100),
  /** Seconds. */
  dead_job_timeout: z.number().positive().default(120),
  /** Seconds. */
  stale_alert_timeout: z.number().positive().default(90),
  /** Seconds. */
  action_timeout: z.number().positive().default(300),
  max_inline_job_log_size: z.union([z.string(), z.number()]).default("1 MB"),
  ping_freq_sec: z.number().positive().max(30).default(5),
  ping_timeout_sec: z.number().positive().default(30),
  hostname_display_strip: z.string().default("\\.[\\w\\-]+\\.\\w+$"),
  ip_display_strip: z.string().default("^::ffff:"),
});

export type Config = z.infer<typeof configSchema>;
/** What a host may give: every member optional. */
export type ConfigInput = z.input<typeof configSchema>;

/** Throws `Error` naming the path of the first wrong member. */
export function parseConfig(input: unknown): Config {
  const result = configSchema.safeParse(input ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`Configuration ${issue?.path.join(".") || "(root)"}: ${issue?.message ?? "malformed"}`);
}
