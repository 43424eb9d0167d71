import * as z from "zod";
import { Cause } from "../../wire/cause.ts";
import { named } from "../../wire/schemas/named.ts";
import { looseObject } from "../../wire/schemas/objects.ts";
import { tenantField } from "../../wire/tenant.ts";

const texts = z.array(z.string());

/** One entry of a ticket's history (docs/contract/tickets.md#history). Automatic entries have a `key` and no `id`. */
export const TicketChange = looseObject(() => ({
  /** "change", "comment", "status", "assignment", or a type that the host defines. */
  type: z.string(),
  /** Present in entries that people added; only these can be edited or removed. */
  id: z.string().optional(),
  username: z.string(),
  /** Unix seconds. */
  date: z.number(),
  /** Name of the changed member, or "created" or "delete". */
  key: z.string().optional(),
  /** New value of the member; absent for `body`, "created" and "delete". */
  value: z.unknown().optional(),
  /** Markdown of a comment, sanitised. */
  body: z.string().optional(),
  /** Unix seconds of the last edit. */
  edited: z.number().optional(),
}));
export type TicketChange = z.infer<typeof TicketChange>;

/** A file in the blob store that a ticket owns (docs/contract/tickets.md#files). */
export const TicketFile = looseObject(() => ({
  id: z.string(),
  filename: z.string(),
  /** Key in the store: `files/<ticket>/<owner>/<token>/<name>`. */
  path: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Unix seconds. */
  date: z.number(),
  username: z.string().optional(),
  ticket: z.string().optional(),
}));
export type TicketFile = z.infer<typeof TicketFile>;

/**
 * An event that people run from the ticket, with the settings that override its own
 * (docs/contract/tickets.md#events-of-a-ticket).
 */
export const TicketEvent = looseObject(() => ({
  id: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
  targets: texts.optional(),
  algo: z.string().optional(),
  tags: texts.optional(),
}));
export type TicketEvent = z.infer<typeof TicketEvent>;

/** Something that people work on (docs/contract/tickets.md#record). */
export const Ticket = named(
  "Ticket",
  looseObject(() => ({
    id: z.string(),
    /** Number, counted from 1 without gaps and never reused. */
    num: z.int(),
    subject: z.string(),
    /** Markdown, sanitised when written; must be sanitised again before it is shown. */
    body: z.string(),
    type: z.string().nullish(),
    status: z.string(),
    category: z.string().nullish(),
    server: z.string().nullish(),
    /** User names. */
    assignees: texts,
    /** User names, and mail addresses, which contain an `@`. */
    cc: texts,
    /** Addresses. */
    notify: texts,
    tags: texts,
    /** Unix seconds; 0 or "" = never. */
    due: z.union([z.number(), z.literal("")]),
    files: z.array(TicketFile).optional(),
    events: z.array(TicketEvent).optional(),
    changes: z.array(TicketChange),
    /** User name, id of an API key, or "system", which is no account. */
    username: z.string(),
    /** Unix seconds. */
    created: z.number(),
    /** Unix seconds. */
    modified: z.number(),
    /** Counts changes of members, including files; new history entries do not count. */
    revision: z.int().optional(),
    /** Cause of the ticket; absent on tickets of old installations. */
    cause: Cause.optional(),
    ...tenantField,
  })),
);
export type Ticket = z.infer<typeof Ticket>;

/** Members of a new ticket; the engine adds all others. Unknown members are stored as they are. */
export interface TicketDraft {
  readonly subject: string;
  readonly id?: string | undefined;
  readonly [member: string]: unknown;
}

/** Sparse: each given member replaces the whole stored member. */
export type TicketChanges = Readonly<Record<string, unknown>>;

/** Members of a comment or another entry that a caller gives; the engine adds `id`, `username` and `date`. */
export interface TicketNote {
  readonly type: string;
  readonly body?: string | undefined;
  readonly [member: string]: unknown;
}

/** The writer of a change to a ticket. The row of the activity log names the actor of the unit of work. */
export interface TicketAuthor {
  /** User name, id of an API key, or "system". */
  readonly username: string;
  /** Administrators may set another author on a ticket, and may edit other people's entries. */
  readonly isAdmin: boolean;
  /** Cause of a created ticket; absent = the actor of the unit of work is the cause. */
  readonly cause?: Cause;
}

/** The author of changes made by actions and hooks. */
export const systemAuthor: TicketAuthor = { username: "system", isAdmin: false };
