type Members = Readonly<Record<string, unknown>>;

/** Data that receivers of a hook get. */
export interface HookPayload {
  readonly action: string;
  /** Unix seconds. */
  readonly epoch: number;
  readonly description: string;
  /** Common chat services read one of these three. */
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

/**
 * Adds the members that receivers read to the copy of an activity, or to the data of a job
 * (docs/contract/mail.md#system-hooks).
 */
export function hookPayload(subject: Members, { action, epoch, description, product }: Told): HookPayload {
  const text = `${product} ${description}`.trim();
  return { ...subject, action, epoch, description, text, content: text, message: text };
}

/** Rows whose description is a sentence already. */
const SENTENCES: ReadonlySet<string> = new Set([
  ...["notice", "warning", "error", "critical", "alert_new", "alert_cleared", "internal_job"],
]);
const DONE: Readonly<Record<string, string>> = { create: "created", update: "updated", delete: "deleted" };

/** "Tag updated: Nightly"; without a subject "User login". */
export function describeActivity(action: string, description: unknown): string {
  const subject = typeof description === "string" ? description : "";
  if (SENTENCES.has(action) && subject !== "") return subject;
  const words = action.split(/[_.:-]+/).map((word, at) => (at > 0 ? (DONE[word] ?? word) : word));
  const sentence = words.join(" ");
  const title = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return subject === "" ? title : `${title}: ${subject}`;
}

/** Members of a job that mean little to a receiver elsewhere. */
const BULKY = ["activity", "timelines", "output", "procs", "conns"];

/** The data of a job's templates without its bulk, and without the environment of this process. */
export function jobSubject(data: Members): Members {
  const { env: _host, ...rest } = data;
  const entries = Object.entries(Object(data["job"]) as Members).filter(([member]) => !BULKY.includes(member));
  return { ...rest, job: Object.fromEntries(entries) };
}

/** Lines for the mail and the ticket: the facts about the person who did it, or the server. */
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
