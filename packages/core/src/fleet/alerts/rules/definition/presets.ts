import type { Alert } from "../../model.ts";
import { type CreateAlert, newAlert } from "./inputs.ts";

/** See docs/contract/alerts.md#presets; the messages are in our own words. */
const PRESETS: readonly (CreateAlert & { readonly id: string })[] = [
  {
    id: "load_avg_high",
    title: "High CPU Load",
    expression: "monitors.load_avg >= (cpu.cores + 1)",
    message: "CPU load average {{float(monitors.load_avg)}} exceeds {{cpu.cores}} cores",
    monitor_id: "load_avg",
    severity: "info",
    notice_after: 900,
  },
  {
    id: "mem_free_low",
    title: "Low Memory",
    expression: "memory.available < (memory.total * 0.05)",
    message: "Only {{bytes(memory.available)}} of {{bytes(memory.total)}} memory available",
    monitor_id: "mem_free",
    severity: "warning",
    notice_after: 300,
  },
  {
    id: "io_wait_high",
    title: "High I/O Wait",
    expression: "monitors.io_wait >= 75",
    message: "CPU waits for I/O {{pct(monitors.io_wait)}} of the time",
    monitor_id: "io_wait",
    severity: "info",
    notice_after: 900,
  },
  {
    id: "disk_usage_root_high",
    title: "Disk Full",
    expression: "monitors.disk_usage_root >= 90",
    message: "Root filesystem use is {{pct(monitors.disk_usage_root)}}",
    monitor_id: "disk_usage_root",
    severity: "warning",
    recovery: "monitors.disk_usage_root < 87",
  },
  {
    id: "active_jobs_high",
    title: "High Active Jobs",
    expression: "monitors.active_jobs >= 50",
    message: "{{number(monitors.active_jobs)}} jobs are running",
    monitor_id: "active_jobs",
    severity: "warning",
    notice_after: 300,
    limit_jobs: true,
    abort_jobs: false,
  },
];

/** See docs/contract/alerts.md#presence. */
const PRESENCE: CreateAlert & { readonly id: string } = {
  id: "server_silent",
  title: "Server Does Not Report",
  subject: "presence",
  expression: "presence.expected && presence.silent_sec > 300",
  message: "No report for {{number(presence.silent_sec)}} seconds",
  severity: "critical",
  outage: true,
};

/** A worse grade of `disk_usage_root_high`: its family is that alert's monitor. */
const DISK_CRITICAL: CreateAlert & { readonly id: string } = {
  id: "disk_full_critical",
  title: "Disk Full (Critical)",
  expression: "monitors.disk_usage_root >= 97",
  message: "Root filesystem use is {{pct(monitors.disk_usage_root)}}",
  severity: "critical",
  family: "disk_usage_root",
  recovery: "monitors.disk_usage_root < 95",
};

/** See docs/contract/alerts.md#events. They cannot fire for an event of which no jobs are expected. */
const ON_EVENTS: readonly (CreateAlert & { readonly id: string })[] = [
  {
    id: "event_overdue",
    title: "Event Is Overdue",
    subject: "event",
    expression: "expect.overdue_sec > 0 || expect.late_start_sec > 0",
    message:
      "{{expect.overdue_sec > 0 ? 'No success' : 'No start'}} in time: {{number(expect.overdue_sec > 0 ? expect.overdue_sec : expect.late_start_sec)}} seconds late",
    severity: "warning",
  },
  {
    id: "event_slow",
    title: "Event Takes Too Long",
    subject: "event",
    expression: "expect.overtime_sec > 0",
    message: "A run takes {{number(expect.overtime_sec)}} seconds longer than it may",
    severity: "warning",
  },
  {
    id: "event_failing",
    title: "Event Fails Too Often",
    subject: "event",
    expression: "expect.failures_over > 0",
    message:
      "{{number(expect.failures)}} {{expect.failures == 1 ? 'failure' : 'failures'}}, {{number(expect.failures_over)}} more than allowed",
    severity: "warning",
  },
];

/** See docs/contract/alerts.md#heartbeats. They cannot fire without a heartbeat. */
const ON_HEARTBEATS: readonly (CreateAlert & { readonly id: string })[] = [
  {
    id: "heartbeat_late",
    title: "Heartbeat Is Late",
    subject: "heartbeat",
    expression: "beat.late_sec > 0 || beat.not_started_sec > 0 || beat.overtime_sec > 0",
    message:
      "{{beat.late_sec > 0 ? 'Nothing heard' : (beat.overtime_sec > 0 ? 'No end' : 'No start')}} in time: {{number(beat.late_sec > 0 ? beat.late_sec : (beat.overtime_sec > 0 ? beat.overtime_sec : beat.not_started_sec))}} seconds late",
    severity: "warning",
  },
  {
    id: "heartbeat_failed",
    title: "Heartbeat Tells of a Failure",
    subject: "heartbeat",
    expression: "beat.failed",
    message: "The work has failed{{beat.exit ? ', status ' + beat.exit : ''}}",
    severity: "warning",
  },
];

/** See docs/contract/alerts.md#checks. They cannot fire without a check. */
const ON_CHECKS: readonly (CreateAlert & { readonly id: string })[] = [
  {
    id: "check_down",
    title: "Check Is Down",
    subject: "check",
    expression: "check.down",
    message: "{{check.text}}",
    severity: "critical",
    outage: true,
    keep_firing_for: 120,
  },
  {
    id: "cert_expiring",
    title: "Certificate Ends Soon",
    subject: "check",
    expression: "check.days_left < check.warn_days",
    message: "The certificate ends in {{number(check.days_left)}} days",
    severity: "warning",
    family: "cert",
    keep_firing_for: 86_400,
  },
  {
    id: "cert_critical",
    title: "Certificate Ends Now",
    subject: "check",
    expression: "check.days_left < check.crit_days",
    message: "The certificate ends in {{number(check.days_left)}} days",
    severity: "critical",
    family: "cert",
    keep_firing_for: 86_400,
  },
];

/** See docs/contract/alerts.md#checks. While it is live, the failures that it explains are held back. */
const OFFLINE: CreateAlert & { readonly id: string } = {
  id: "engine_offline",
  title: "Engine Is Offline",
  subject: "check",
  expression: "network.all_failed",
  message: "None of {{number(network.hosts)}} hosts can be reached",
  severity: "critical",
  outage: true,
};

const presetAlert = (preset: CreateAlert & { readonly id: string }, now: number): Alert =>
  newAlert({ ...preset, notes: "" }, { id: preset.id, username: "admin", now });

/** Default alerts of a new installation. */
export const defaultAlerts = (now: number): Alert[] =>
  [...PRESETS, PRESENCE, DISK_CRITICAL, ...ON_EVENTS, ...ON_HEARTBEATS, ...ON_CHECKS, OFFLINE].map((preset) =>
    presetAlert(preset, now),
  );

/**
 * Default alerts that were added later, by the seed that adds them to existing installations. They start disabled, so
 * that they notify nobody unasked.
 */
export const laterAlerts = (now: number): ReadonlyMap<string, readonly Alert[]> => {
  const disabled = (preset: (typeof ON_EVENTS)[number]): Alert => ({ ...presetAlert(preset, now), enabled: false });
  return new Map([
    ["alerts.presence", [disabled(PRESENCE)]],
    ["alerts.grades", [disabled(DISK_CRITICAL)]],
    ["alerts.network", [disabled(OFFLINE)]],
    ["alerts.events", ON_EVENTS.map(disabled)],
    ["alerts.checks", ON_CHECKS.map(disabled)],
    ["alerts.heartbeats", ON_HEARTBEATS.map(disabled)],
  ]);
};
