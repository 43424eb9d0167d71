import type { QuickMonitor } from "./config.ts";

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

/** See docs/contract/monitors.md#quick-monitors. */
export const DEFAULT_QUICK_MONITORS: QuickMonitor[] = [
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

/** See docs/contract/actions.md#texts: the words are ours, the macros are the contract's. */
export const DEFAULT_HOOK_TEXTS = {
  job_start: "{{event.title}} has started on {{nice_server}}: {{links.job_details}}",
  job_success: "{{event.title}} succeeded on {{nice_server}}: {{links.job_details}}",
  job_error:
    "{{event.title}} failed on {{nice_server}} with code {{job.code}}: {{job.description}}: {{links.job_details}}",
  job_progress: "{{event.title}} is running on {{nice_server}}: {{links.job_details}}",
  job_suspended: "{{event.title}} waits for approval: {{links.job_details}}&resume=1",
  job_limited: "{{action.msg}}: {{links.job_details}}",
  alert_new: "Alert on {{nice_server}}: {{def.title}}: {{alert.message}}: {{links.alert_url}}",
  alert_stale: "No more data of {{nice_server}}, so nobody knows whether it goes on: {{def.title}}: {{alert.message}}",
  alert_cleared: "Alert over on {{nice_server}}: {{def.title}}",
};

/**
 * See docs/contract/configuration.md#names-nobody-may-register: names that nobody may register; compared whole and
 * without case.
 */
export const BLOCKED_NAMES = `^(${[
  "self|system|abuse|admin|administrator|localhost|127.0.0.1|nobody|noreply|root|support|sysadmin|webmaster|www|god|staff",
  "null|constructor|__defineGetter__|__defineSetter__|hasOwnProperty|__lookupGetter__|__lookupSetter__|isPrototypeOf",
  "propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString|0",
].join("|")})$`;

/** See docs/contract/configuration.md#keys: a form without a choice of the installation's own. */
export const NEW_EVENT: Record<string, unknown> = {
  triggers: [{ type: "manual", enabled: true }],
  limits: [
    { type: "job", enabled: true, amount: 1 },
    { type: "queue", enabled: true, amount: 0 },
    { type: "retry", enabled: true, amount: 0, duration: 0 },
  ],
};
