import { SUBJECT_TYPES } from "../../../../fleet/alerts/model.ts";
import { membersOf } from "../../../../lib/json/is-object.ts";

/**
 * Texts of the tickets that jobs and alerts create (docs/contract/tickets.md#tickets-of-jobs-and-alerts), as Markdown with
 * macros. Values are inserted once.
 */

type Members = Readonly<Record<string, unknown>>;

const parts = (...all: string[]): string => `${all.join("\n\n")}\n`;

const PRODUCT = "{{ config.client.name }}";

const facts = (...more: string[]): string =>
  [
    "- **Job ID:** {{ job.id }}",
    ...more,
    "- **Event:** {{ event.title }}",
    "- **Category:** {{ category.title }}",
    "- **Plugin:** {{ plugin.title }}",
    "- **Server:** {{ nice_server }}",
    "- **PID:** {{ job.pid }}",
    "- **Completed:** {{ display.date_time }}",
    "- **Elapsed:** {{ display.elapsed }}",
    "- **Performance:** {{ display.perf }}",
    "- **Average memory:** {{ display.mem }}",
    "- **Average CPU:** {{ display.cpu }}",
  ].join("\n");

const LINKS = `- [Details of the job]({{ links.job_details }})
- [Full log]({{ links.job_log }}) ({{ display.log_size }})`;

const fenced = (title: string, macro: string): string => `## ${title}\n\n\`\`\`text\n{{ ${macro} }}\n\`\`\``;

const TAIL = `${fenced("Output", "log_excerpt")}

${fenced("Report", "user_content")}

## Notes

{{ event.notes }}`;

const FILES = "## Files\n\n{{ links.job_files }}";

const ABOUT_SERVER = [
  "- **Server:** {{ nice_server }}",
  "- **Hostname:** {{ nice_hostname }}",
  "- **IP address:** {{ nice_ip }}",
  "- **Groups:** {{ nice_groups }}",
];

const RUNS_THERE = "## Running Jobs\n\n{{ nice_active_jobs }}";

/** Readings of the server's last minute. */
const READINGS = [
  "## Server\n",
  "- **Load average:** {{ nice_load_avg }}",
  "- **CPU:** {{ nice_cpu }}",
  "- **Cores:** {{ nice_cores }}",
  "- **Virtualization:** {{ nice_virt }}",
  "- **Memory:** {{ nice_mem_total }} in all, {{ nice_mem_avail }} available",
  "- **Root disk:** {{ nice_root_disk }}",
  "- **System:** {{ nice_os }}",
  "- **Uptime:** {{ nice_uptime }}",
].join("\n");

/** Subjects of alerts, as tickets name them. */
const NAMES = { server: "Server", event: "Event", heartbeat: "Heartbeat", check: "Check" } as const;

/** The text for an alert on a kind of subject. Facts that only servers have are left out for the others. */
function alertText(kind: keyof typeof NAMES): string {
  const isServer = kind === "server";
  const about = isServer ? ABOUT_SERVER : [`- **${NAMES[kind]}:** {{ nice_server }}`];
  return parts(
    `**${PRODUCT}:** The alert **{{ def.title }}** has fired on {{ nice_server }}.`,
    ["- **Message:** {{ alert.message }}", ...about, "- **Time:** {{ date_time }}"].join("\n"),
    fenced("Expression", "def.expression"),
    "## Notes\n\n{{ nice_notes }}",
    `- [Details of the alert]({{ links.alert_url }})\n- [The ${kind}]({{ links.server_url }})`,
    ...(isServer ? [RUNS_THERE, READINGS] : []),
  );
}

export const TICKET_TEMPLATES: Readonly<Record<string, string>> = {
  job_fail: parts(
    `**${PRODUCT}:** The job **{{ event.title }}** failed with code **{{ job.code }}**.`,
    facts("- **Error code:** {{ job.code }}"),
    fenced("Description", "job.description"),
    LINKS,
    TAIL,
  ),
  job_success: parts(`**${PRODUCT}:** The job **{{ event.title }}** succeeded.`, facts(), LINKS, FILES, TAIL),
  job_progress: parts(`**${PRODUCT}:** The job **{{ event.title }}** is running.`, facts(), LINKS, TAIL),
  alert: alertText("server"),
  job_again: parts(
    "It happened again: the job [{{ job.id }}]({{ links.job_details }}) of **{{ event.title }}** ended with code **{{ job.code }}** on {{ nice_server }}.",
    "```text\n{{ job.description }}\n```",
    "[Full log]({{ links.job_log }}) ({{ display.log_size }})",
  ),
  job_running: parts("The job [{{ job.id }}]({{ links.job_details }}) of **{{ event.title }}** is running."),
  alert_again: parts(
    "The alert [{{ def.title }}]({{ links.alert_url }}) has fired again on {{ nice_server }}: {{ alert.message }}",
  ),
  job_over: parts("The job [{{ job.id }}]({{ links.job_details }}) of **{{ event.title }}** succeeded."),
  alert_over: parts("The alert [{{ def.title }}]({{ links.alert_url }}) is over on {{ nice_server }}."),
};

/** The standard text by name; for an alert, the text of its kind of subject. "" = there is none. */
export function ticketText(name: string, { alert }: Members): string {
  const kind = SUBJECT_TYPES.find((type) => type === membersOf(membersOf(alert)["subject"])["type"]);
  return name === "alert" && kind ? alertText(kind) : (TICKET_TEMPLATES[name] ?? "");
}

type JobEnd = { readonly complete?: unknown; readonly code?: unknown };

/** The template that fits the present state of the job. */
export function ticketTemplateOf({ complete, code }: JobEnd): "job_fail" | "job_success" | "job_progress" {
  if (code) return "job_fail";
  return complete ? "job_success" : "job_progress";
}

const MAX_SUBJECT = 1000;
const textOf = (value: unknown, fallback = ""): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : fallback;

/** Default subject of a ticket about a job. */
export function jobSubject({ job, event }: Members): string {
  const { id, code, complete, event_title } = membersOf(job);
  const title = textOf(membersOf(event)["title"]) || textOf(event_title, "n/a");
  const ended = ticketTemplateOf({ complete, code });
  const what = { job_fail: `failed with code: ${code}`, job_success: "succeeded", job_progress: "is running" }[ended];
  return `Job #${textOf(id)} ${what} (${title})`.slice(0, MAX_SUBJECT);
}

/** Default subject of a ticket about an alert. */
export const alertSubject = ({ def, nice_server: server }: Members): string =>
  `Alert: ${textOf(membersOf(def)["title"], "n/a")} on ${textOf(server, "n/a")}`.slice(0, MAX_SUBJECT);
