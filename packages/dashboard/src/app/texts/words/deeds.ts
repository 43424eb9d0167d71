import { isRecord } from "../../data/records/is-record.ts";
import { catalogue } from "../catalogue.ts";
import { capital } from "../format.ts";

export const deedTexts = {
  create: "{what} created",
  update: "{what} changed",
  delete: "{what} deleted",
  user_login: "Signed in",
  user_logout: "Signed out",
  user_locked: "Account locked",
  user_password: "Password changed",
  secret_access: "Secret opened",
  state_update: "State changed",
  scheduler_on: "Scheduler switched on",
  scheduler_off: "Scheduler paused",
  config_update: "Configuration changed",
  job_abort: "Job aborted",
  job_run: "Job started",
  job_resume: "Job resumed",
  job_delete_file: "File of a job deleted",
  alert_new: "Alert fired",
  alert_cleared: "Alert cleared",
  alert_acknowledge: "Alert acknowledged",
  alert_unacknowledge: "Acknowledgement withdrawn",
  alert_delete_invocation: "Firing deleted",
  alert_update_tickets: "Tickets of an alert changed",
  problem_acknowledge: "Problem acknowledged",
  notice_failed: "Notice failed",
  notice_resend: "Notice sent again",
  web_hook_resend: "Web hook sent again",
  rota_override: "Shift of a rota changed",
  server_add: "Server connected",
  server_remove: "Server disconnected",
  server_watch: "Server watched",
  group_watch: "Group watched",
  ticket_add_change: "Ticket commented",
  ticket_update_change: "Comment of a ticket changed",
  queue_flush: "Queue emptied",
  internal_job_start: "Started",
  peer_add: "Node joined",
  peer_disconnect: "Node gone",
  peer_drain: "Node told to drain",
  master_primary: "Node leads",
  "noun.alert": "Alert rule",
  "noun.apikey": "API key",
  "noun.bucket": "Bucket",
  "noun.category": "Category",
  "noun.channel": "Channel",
  "noun.check": "Check",
  "noun.event": "Event",
  "noun.group": "Group",
  "noun.heartbeat": "Heartbeat",
  "noun.monitor": "Monitor",
  "noun.plugin": "Plugin",
  "noun.receiver": "Receiver",
  "noun.role": "Role",
  "noun.rota": "Rota",
  "noun.route": "Route",
  "noun.secret": "Secret",
  "noun.server": "Server",
  "noun.silence": "Silence",
  "noun.snapshot": "Snapshot",
  "noun.tag": "Tag",
  "noun.ticket": "Ticket",
  "noun.user": "Account",
  "noun.web_hook": "Web hook",
} as const;
const t = catalogue("deeds", deedTexts);

/** Actions whose description says everything. */
const IN_WORDS = /^(?:notice|warning|error|critical|internal_job)$/;
/** Actions whose description begins with the verb in English, up to a colon. */
const WITH_VERB = /^(?:alert_(?:new|cleared)|server_(?:add|remove))$/;
/** The member of the global state that switches the scheduler. */
const SCHEDULER = "scheduler.enabled";

const isNamed = (action: string): action is keyof typeof deedTexts => Object.hasOwn(deedTexts, action);

export interface Deed {
  readonly action: string;
  readonly description?: string | undefined;
  /** The members of the global state that the row says were changed. */
  readonly state?: unknown;
}

/** The new value of a member of the global state, by its path. */
const stateAt = ({ description = "", state }: Deed): unknown =>
  description.split(".").reduce((value, name) => (isRecord(value) ? value[name] : undefined), state);

/** A row of the activity log in words: "Ticket changed", "Signed in". Empty when its description says everything. */
export function deedWords(row: Deed): string {
  const { action, description } = row;
  if (action === "state_update" && description === SCHEDULER && typeof stateAt(row) === "boolean")
    return t(stateAt(row) ? "scheduler_on" : "scheduler_off");
  if (IN_WORDS.test(action) && description) return "";
  const [, what = "", verb = ""] = /^(.+)_(create|update|delete)$/.exec(action) ?? [];
  if (isNamed(action)) return t(action);
  if (isNamed(verb)) {
    const noun = `noun.${what}`;
    return t(verb, { what: isNamed(noun) ? t(noun) : capital(what.replaceAll("_", " ")) });
  }
  return capital(action.replaceAll("_", " "));
}

interface Who {
  readonly username?: string | undefined;
  /** The account that acted on another person's account; `username` is then the other account. Absent otherwise. */
  readonly admin?: string | undefined;
}

/** The account or key that acted. */
export const actorOf = ({ username = "", admin }: Who): string => admin ?? username;

interface About extends Deed, Who {
  readonly user?: unknown;
  readonly ticket?: unknown;
  readonly params?: unknown;
}

/**
 * What an action was about: the title or subject of the record rather than its id, the account that somebody else acted on, or
 * the settings that were changed, with the value if the row has it.
 */
export function deedAbout(row: About): string {
  const { action, description = "", username = "", admin, user, ticket, params } = row;
  const { subject } = (ticket ?? {}) as { readonly subject?: unknown };
  if (typeof subject === "string") return subject;
  if (admin && !description) return (user as { readonly full_name?: string } | undefined)?.full_name || username;
  if (action === "config_update" && Array.isArray(params)) return description || params.join(", ");
  if (action === "state_update") return aboutState(row);
  return WITH_VERB.test(action) ? description.replace(/^[^:]*: /, "") : description;
}

/** The changed member of the global state with its value. Nothing for the scheduler, which has words of its own. */
function aboutState(row: Deed): string {
  const [{ description = "" }, value] = [row, stateAt(row)];
  if (value === undefined || isRecord(value)) return description;
  return description === SCHEDULER ? "" : `${description} = ${JSON.stringify(value)}`;
}
