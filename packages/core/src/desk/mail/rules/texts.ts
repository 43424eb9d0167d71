import { alertTexts } from "./texts/alert-texts.ts";
import { head, parts } from "./texts/words.ts";

/**
 * Templates of mails about jobs and alerts; the contract defines the macros (docs/contract/actions.md#mail,
 * docs/contract/mail.md#mail-of-jobs-and-alerts).
 */

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
    "The job **{{ event.title }}** failed on {{ nice_server }} with code {{ job.code }}: {{ job.description }}",
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
    "The job **{{ event.title }}** exceeded a limit on {{ nice_server }}: {{ action.msg }}",
    `${PROGRESS}
- **Limit:** {{ action.title }}
- **Source of the limit:** {{ action.source }}
- **Message:** {{ action.msg }}`,
    "## Measures",
    "{{ action.summary }}",
    "[Details of the job]({{ links.job_details }})",
    NOTES,
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
  ...alertTexts("server"),
};

/** Default template for a mail action on a job. */
export function jobTemplate(condition: unknown, job: { readonly complete?: unknown; readonly code?: unknown }): string {
  if (condition === "start") return "job_start";
  if (!job.complete) return "job_progress";
  return job.code ? "job_fail" : "job_success";
}
