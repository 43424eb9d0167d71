type Members = Readonly<Record<string, unknown>>;

/** Data that receivers of a system hook get. */
export interface HookPayload {
  readonly action: string;
  /** Unix seconds. */
  readonly epoch: number;
  readonly description: string;
  /** The same text three times: each chat service reads one of these members. */
  readonly text: string;
  readonly content: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

interface Told {
  readonly action: string;
  readonly epoch: number;
  readonly description: string;
  /** Name of the product. */
  readonly product: string;
}

/** Adds the members of the payload to a copy of an activity, or to the data of a job (docs/contract/mail.md#system-hooks). */
export function hookPayload(subject: Members, { action, epoch, description, product }: Told): HookPayload {
  const text = `${product} ${description}`.trim();
  return { ...subject, action, epoch, description, text, content: text, message: text };
}

/** Actions whose description is already a sentence. */
const SENTENCES: ReadonlySet<string> = new Set([
  ...["notice", "warning", "error", "critical", "alert_new", "alert_cleared", "internal_job"],
]);
const DONE: Readonly<Record<string, string>> = { create: "created", update: "updated", delete: "deleted" };

/** A text like "Tag updated: Nightly"; without a description, "User login". */
export function describeActivity(action: string, description: unknown): string {
  const subject = typeof description === "string" ? description : "";
  if (SENTENCES.has(action) && subject !== "") return subject;
  const words = action.split(/[_.:-]+/).map((word, at) => (at > 0 ? (DONE[word] ?? word) : word));
  const sentence = words.join(" ");
  const title = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return subject === "" ? title : `${title}: ${subject}`;
}

/** Large members of a job that are of little use to a receiver. */
const BULKY = ["activity", "timelines", "output", "procs", "conns"];

/** The template data of a job without its large members, and without the environment of this process. */
export function jobSubject(data: Members): Members {
  const { env: _host, ...rest } = data;
  const entries = Object.entries(Object(data["job"]) as Members).filter(([member]) => !BULKY.includes(member));
  return { ...rest, job: Object.fromEntries(entries) };
}

/** Lines for the mail and the ticket: which server it was, and details of the event, job and keywords. */
export function factsOf(payload: Members): Members {
  const { server, job, event } = payload as {
    readonly server?: unknown;
    readonly job?: unknown;
    readonly event?: unknown;
  };
  const serverName = typeof server === "string" ? server : payload["nice_server"];
  const title = (Object(event) as { title?: unknown }).title;
  const { id, code } = Object(job) as { id?: unknown; code?: unknown };
  const keywords = payload["keywords"];
  const details = [
    ...(title === undefined ? [] : [`Event: ${String(title)}`]),
    ...(id === undefined ? [] : [`Job: ${String(id)}`]),
    ...(code === undefined ? [] : [`Code: ${String(code)}`]),
    ...(Array.isArray(keywords) && keywords.length > 0 ? [`Keywords: ${keywords.join(", ")}`] : []),
  ];
  return { nice_hook_server: serverName, nice_details: details.join("; ") };
}
