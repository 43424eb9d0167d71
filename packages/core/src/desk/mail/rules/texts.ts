/**
 * Words of the mails that jobs and alerts send; the macro names are the contract's (docs/contract/actions.md#mail,
 * docs/contract/mail.md#mail-of-jobs-and-alerts).
 */

export const head = (subject: string, title: string, button: string): string =>
  [
    "<!-- To: {{ email_to }} -->",
    `<!-- Subject: {{ config.client.name }}: ${subject} -->`,
    `<!-- Title: ${title} -->`,
    `<!-- Button: ${button} -->`,
  ].join("\n");

const VIEW = "View Job | {{ links.job_details }}";

const NAMES = `- **Job ID:** {{ job.id }}
- **Event:** {{ event.title }}
- **Category:** {{ category.title }}
- **Plugin:** {{ plugin.title }}
- **Server:** {{ nice_server }}`;

const PROGRESS = `${NAMES}
- **PID:** {{ job.pid }}
- **Elapsed:** {{ display.elapsed }}
- **Average memory:** {{ display.mem }}
- **Average CPU:** {{ display.cpu }}`;

const ENDED = `- **PID:** {{ job.pid }}
- **Completed:** {{ display.date_time }}
- **Elapsed:** {{ display.elapsed }}
- **Performance:** {{ display.perf }}
- **Average memory:** {{ display.mem }}
- **Average CPU:** {{ display.cpu }}`;

const LINKS = `- [Details of the job]({{ links.job_details }})
- [Full log]({{ links.job_log }}) ({{ display.log_size }})`;

const OUTPUT = `## Output

\`\`\`
{{ log_excerpt }}
\`\`\`

## Report

{{ user_content }}`;

const NOTES = `## Notes

{{ event.notes }}`;

export const parts = (...all: string[]): string => `${all.join("\n\n")}\n`;

const ALERT_SERVER = `- **Server:** {{ nice_server }}
- **Hostname:** {{ nice_hostname }}
- **IP address:** {{ nice_ip }}
- **Groups:** {{ nice_groups }}
- **Time:** {{ date_time }}`;

const ALERT_LINKS = `- [Details of the alert]({{ links.alert_url }})
- [The server]({{ links.server_url }})`;

const EXPRESSION = `## Expression

\`\`\`
{{ def.expression }}
\`\`\``;

export const MAIL_TEMPLATES: Readonly<Record<string, string>> = {
  job_start: parts(
    head("{{ event.title }} has started", "Job Started", VIEW),
    "The job **{{ event.title }}** has started on {{ nice_server }}.",
    NAMES,
    "[Details of the job]({{ links.job_details }})",
    NOTES,
  ),
  job_progress: parts(
    head("{{ event.title }} is running", "Job in Progress", VIEW),
    "The job **{{ event.title }}** is running on {{ nice_server }}.",
    PROGRESS,
    "[Details of the job]({{ links.job_details }})",
    NOTES,
  ),
  job_success: parts(
    head("{{ event.title }} succeeded", "Job Succeeded", VIEW),
    "The job **{{ event.title }}** succeeded on {{ nice_server }}.",
    `${NAMES}\n${ENDED}`,
    LINKS,
    "## Files",
    "{{ links.job_files }}",
    OUTPUT,
    NOTES,
  ),
  job_fail: parts(
    head("{{ event.title }} failed", "Job Failed", VIEW),
    "The job **{{ event.title }}** failed on {{ nice_server }}.",
    `${NAMES}\n- **Error code:** {{ job.code }}\n- **Error description:** {{ job.description }}\n${ENDED}`,
    LINKS,
    OUTPUT,
    NOTES,
  ),
  job_suspended: parts(
    head("{{ event.title }} waits for approval", "Job Suspended", "Resume Job | {{ links.job_details }}&resume=1"),
    "The job **{{ event.title }}** is held until somebody lets it go on or aborts it.",
    PROGRESS,
    "[Details of the job]({{ links.job_details }})",
    NOTES,
  ),
  job_limited: parts(
    head("{{ event.title }} exceeded a limit", "Job Limit Exceeded", VIEW),
    "The job **{{ event.title }}** exceeded a limit on {{ nice_server }}.",
    `${PROGRESS}
- **Limit:** {{ action.title }}
- **Source of the limit:** {{ action.source }}
- **Message:** {{ action.msg }}`,
    "## Measures",
    "{{ action.summary }}",
    "[Details of the job]({{ links.job_details }})",
    NOTES,
  ),
  alert_new: parts(
    head("Alert on {{ nice_server }}: {{ def.title }}", "Alert", "View Alert | {{ links.alert_url }}"),
    "**{{ def.title }}**: {{ nice_message }}",
    ALERT_SERVER,
    EXPRESSION,
    ALERT_LINKS,
    "## Running Jobs",
    "{{ nice_active_jobs }}",
    `## Server

- **Load average:** {{ nice_load_avg }}
- **Memory:** {{ nice_mem_avail }} of {{ nice_mem_total }} available
- **Uptime:** {{ nice_uptime }}
- **CPU:** {{ nice_cpu }}
- **Cores:** {{ nice_cores }}
- **Root disk:** {{ nice_root_disk }}
- **System:** {{ nice_os }}
- **Virtualization:** {{ nice_virt }}`,
    "## Notes",
    "{{ nice_notes }}",
  ),
  activity: parts(
    "<!-- To: {{ email_to }} -->\n<!-- Subject: {{ text }} -->\n<!-- Title: Activity Report -->",
    "{{ description }}",
    `- **Action:** {{ action }}
- **Time:** {{ date_time }}
- **User:** {{ username }}
- **Address:** {{ ip }}
- **Client:** {{ useragent }}
- **Server:** {{ nice_hook_server }}
- **Details:** {{ nice_details }}`,
    "## Record\n\n```\n{{ json }}\n```",
  ),
  alert_stale: parts(
    head(
      "No more data of {{ nice_server }}: {{ def.title }}",
      "Alert Without Data",
      "View Alert | {{ links.alert_url }}",
    ),
    "No more data of the server arrives, so nobody knows whether this goes on. **{{ def.title }}**: {{ alert.message }}",
    `${ALERT_SERVER}\n- **Lasted until then:** {{ nice_elapsed }}`,
    EXPRESSION,
    ALERT_LINKS,
  ),
  alert_cleared: parts(
    head("Alert over on {{ nice_server }}: {{ def.title }}", "Alert Cleared", "View Alert | {{ links.alert_url }}"),
    "The alert **{{ def.title }}** is over.",
    `${ALERT_SERVER}\n- **Lasted:** {{ nice_elapsed }}`,
    EXPRESSION,
    ALERT_LINKS,
  ),
};

/** The mail of an action on a job when it names none. */
export function jobTemplate(condition: unknown, job: { readonly complete?: unknown; readonly code?: unknown }): string {
  if (condition === "start") return "job_start";
  if (!job.complete) return "job_progress";
  return job.code ? "job_fail" : "job_success";
}
