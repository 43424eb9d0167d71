import { SUBJECT_TYPES } from "../../../../fleet/alerts/model.ts";
import { head, parts } from "./words.ts";

const SERVER = `- **Server:** {{ nice_server }}
- **Hostname:** {{ nice_hostname }}
- **IP address:** {{ nice_ip }}
- **Groups:** {{ nice_groups }}`;

/** Readings of the server's last minute. */
const READINGS = `## Server

- **Load average:** {{ nice_load_avg }}
- **Memory:** {{ nice_mem_avail }} of {{ nice_mem_total }} available
- **Uptime:** {{ nice_uptime }}
- **CPU:** {{ nice_cpu }}
- **Cores:** {{ nice_cores }}
- **Root disk:** {{ nice_root_disk }}
- **System:** {{ nice_os }}
- **Virtualization:** {{ nice_virt }}`;

const JOBS = "## Running Jobs\n\n{{ nice_active_jobs }}";

const EXPRESSION = `## Expression

\`\`\`
{{ def.expression }}
\`\`\``;

const VIEW = "View Alert | {{ links.alert_url }}";

/** Names for the kinds of subjects in mails. */
const NAMES = { server: "Server", event: "Event", heartbeat: "Heartbeat", check: "Check" } as const;

/** Templates for alerts on one kind of subject; only those for servers contain facts that only servers have. */
export function alertTexts(
  kind: keyof typeof NAMES,
): Readonly<Record<"alert_new" | "alert_stale" | "alert_cleared", string>> {
  const isServer = kind === "server";
  const about = `${isServer ? SERVER : `- **${NAMES[kind]}:** {{ nice_server }}`}\n- **Time:** {{ date_time }}`;
  const links = `- [Details of the alert]({{ links.alert_url }})\n- [The ${kind}]({{ links.server_url }})`;
  return {
    alert_new: parts(
      head("Alert on {{ nice_server }}: {{ def.title }}", "Alert", VIEW),
      "**{{ def.title }}** ({{ alert.severity }}) on **{{ nice_server }}** since {{ date_time }}: {{ nice_message }}",
      ...[about, EXPRESSION, links, ...(isServer ? [JOBS] : [])],
      // The notes come first, since people look for them before the readings.
      ...["## Notes\n\n{{ nice_notes }}", ...(isServer ? [READINGS] : [])],
    ),
    alert_stale: parts(
      head("No more data of {{ nice_server }}: {{ def.title }}", "Alert Without Data", VIEW),
      `No more data of the ${kind} arrives, so nobody knows whether this goes on. **{{ def.title }}**: {{ alert.message }}`,
      ...[`${about}\n- **Lasted until then:** {{ nice_elapsed }}`, EXPRESSION, links],
    ),
    alert_cleared: parts(
      head("Alert over on {{ nice_server }}: {{ def.title }}", "Alert Cleared", VIEW),
      "The alert **{{ def.title }}** on {{ nice_server }} is over. It lasted {{ nice_elapsed }}.",
      ...[`${about}\n- **Lasted:** {{ nice_elapsed }}`, EXPRESSION, links],
    ),
  };
}

/** The built-in template for an alert on a check, an event or a heartbeat; undefined = use the one for servers. */
export function subjectText(template: string, subject: unknown): string | undefined {
  const kind = SUBJECT_TYPES.find((each) => each === subject);
  const texts: Readonly<Record<string, string>> = kind ? alertTexts(kind) : {};
  return texts[template];
}
