import { catalogue } from "../catalogue.ts";

export const deedTexts = {
  create: "{what} created",
  update: "{what} changed",
  delete: "{what} deleted",
  user_login: "Signed in",
  user_logout: "Signed out",
  user_locked: "Account locked",
  user_password: "Password changed",
  secret_access: "Secret opened",
  state_update: "Switched",
  config_update: "Configuration changed",
  job_abort: "Job aborted",
  job_run: "Job started",
  alert_acknowledge: "Alert acknowledged",
  ticket_add_change: "Ticket commented",
  queue_flush: "Line emptied",
  internal_job_start: "Begun",
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
const IN_WORDS = /^(?:alert_(?:new|cleared)|server_(?:add|remove)|notice|warning|error|critical|internal_job)$/;

const isNamed = (action: string): action is keyof typeof deedTexts => Object.hasOwn(deedTexts, action);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export interface Deed {
  readonly action: string;
  readonly description?: string | undefined;
}

/** A row of the activity log in words: "Ticket changed", "Signed in". Empty when its description says everything. */
export function deedWords({ action, description }: Deed): string {
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
 * the settings that were changed.
 */
export function deedAbout({ action, description, username, admin, user, ticket, params }: About): string {
  const { subject } = (ticket ?? {}) as { readonly subject?: unknown };
  if (typeof subject === "string") return subject;
  if (admin && !description)
    return (user as { readonly full_name?: string } | undefined)?.full_name || (username ?? "");
  return description || (action === "config_update" && Array.isArray(params) ? params.join(", ") : "");
}
