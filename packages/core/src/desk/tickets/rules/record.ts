import type { DateContext } from "../../../search/parse/dates.ts";
import type { Cause } from "../../../wire/cause.ts";
import { cutMembers } from "../../../wire/cut-members.ts";
import { readDue } from "../../../wire/fields/due.ts";
import type { Ticket, TicketChanges, TicketDraft } from "../model.ts";
import { createdEntry, type Stamp } from "./changes.ts";
import { dueTime } from "./due.ts";
import { cleanBody, cleanSubject } from "./sanitise.ts";
import { LISTS } from "./shape.ts";

type Members = Readonly<Record<string, unknown>>;

/** Parameters of operations, which are never stored. */
const CONSUMED: ReadonlySet<string> = new Set([
  ...["template", "job", "alert", "active_jobs", "json", "if_revision"],
  ...["api_key", "session_id", "csrf_token"],
]);
/** Members that the engine sets. They are ignored rather than refused, because clients post whole records back. */
const OWNED: ReadonlySet<string> = new Set([
  "id",
  "num",
  "created",
  "modified",
  "revision",
  "changes",
  "username",
  "cause",
]);

/** How members are stored: texts sanitised, due dates as times, empty values of lists as empty lists. */
const FORMS: Readonly<Record<string, (value: unknown, context: DateContext) => unknown>> = {
  subject: (value) => subjectOf(value),
  body: (value) => cleanBody(String(value ?? "")),
  due: (value, context) => (value === "" ? "" : dueTime(readDue(value) ?? NEVER, context)),
  ...Object.fromEntries(["type", "category", "server"].map((name) => [name, (value: unknown) => String(value || "")])),
  ...Object.fromEntries([...LISTS, "events"].map((name) => [name, (value: unknown) => value || []])),
};
const NEVER = { kind: "never" } as const;

/** The sanitised subject. Never "", because a subject of which nothing is left was refused before. */
export const subjectOf = (sent: unknown): string =>
  typeof sent === "object" || sent === undefined ? "" : cleanSubject(sent);

/** Names of the sent members that a client may write. */
export const writtenKeys = (sent: Members): string[] =>
  Object.keys(sent).filter((key) => sent[key] !== undefined && !CONSUMED.has(key) && !OWNED.has(key));

function normaliseMembers(sent: Members, context: DateContext): Record<string, unknown> {
  const formOf = (key: string): unknown => (Object.hasOwn(FORMS, key) ? FORMS[key]?.(sent[key], context) : sent[key]);
  return Object.fromEntries(writtenKeys(sent).map((key) => [key, formOf(key)]));
}

interface NewTicket extends Stamp {
  readonly id: string;
  /** The author of the ticket, who may differ from `username`, the writer. */
  readonly author: string;
  readonly cause: Cause;
}

/** The complete record of a new ticket (docs/contract/tickets.md#record), without its number. */
export function newTicket(draft: TicketDraft, stamp: NewTicket, context: DateContext): Ticket {
  const { id, author, now, cause } = stamp;
  const { status, due, body, files, ...members } = normaliseMembers(draft, context);
  return {
    ...members,
    id,
    num: 0,
    subject: subjectOf(members["subject"]),
    body: typeof body === "string" ? body : "",
    status: typeof status === "string" && status !== "" ? status : "open",
    ...listsOf(members),
    due: typeof due === "number" ? due : 0,
    ...(Array.isArray(files) && files.length > 0 ? { files } : {}),
    changes: [createdEntry(stamp)],
    username: author,
    created: now,
    modified: now,
    revision: 1,
    cause,
  };
}

function listsOf(members: Members): Pick<Ticket, (typeof LISTS)[number]> {
  const { assignees = [], cc = [], notify = [], tags = [] } = members as Partial<Ticket>;
  return { assignees, cc, notify, tags };
}

/** Sparse merge. The caller of this function handles author, files and history. */
export function mergeTicket(stored: Ticket, sent: TicketChanges, now: number, context: DateContext): Ticket {
  return { ...counted(stored), ...(normaliseMembers(sent, context) as Partial<Ticket>), modified: now };
}

/** The ticket at its next revision. */
export const counted = (ticket: Ticket): Ticket => ({ ...ticket, revision: (ticket.revision ?? 0) + 1 });

/** The author of a ticket: the writer, or the person that an administrator names. */
export function authorOf(sent: Members, by: { readonly username: string; readonly isAdmin: boolean }): string {
  const { username } = sent;
  return by.isAdmin && typeof username === "string" && /\S/.test(username) ? username : by.username;
}

/** A ticket as rows of the activity log contain it. */
export const withoutChanges = ({ changes: _changes, ...ticket }: Ticket): Omit<Ticket, "changes"> => ticket;
export const stubOf = ({ id, num, subject }: Ticket): Pick<Ticket, "id" | "num" | "subject"> => ({ id, num, subject });

/** A ticket as lists contain it: without its body, and with only the number of its changes. */
export const compact = ({ body: _body, changes, ...ticket }: Ticket) => ({ ...ticket, changes: changes.length });

/** The compact form as JSON, cut from the JSON of the record without parsing it as a whole. */
export function compactText(json: string): string {
  const { rest, cut } = cutMembers(json, ["body", "changes"]);
  const changes = JSON.parse(cut["changes"] ?? "[]") as unknown[];
  return `${rest.slice(0, -1)},"changes":${changes.length}}`;
}
