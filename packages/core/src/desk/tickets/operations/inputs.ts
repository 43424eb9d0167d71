import * as z from "zod";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import type { Actor, Client } from "../../../kernel/calls/context.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import { checkCommonParameters, parseJson } from "../../../wire/fields/common.ts";
import type { Ticket, TicketAuthor } from "../model.ts";
import { faultOfShape, readFormLists } from "../rules/shape.ts";
import { malformed } from "../services/faults.ts";

export type Members = Readonly<Record<string, unknown>>;

/** Members typed for in-process callers and for the reference; faults are reported under the code of tickets. */
const member = <T>(schema: Readonly<Record<string, unknown>>) => z.custom<T | null>().optional().meta(schema);
const text = (description?: string) => member<string>({ type: "string", ...(description ? { description } : {}) });
const texts = (description?: string) =>
  member<readonly string[]>({
    type: "array",
    items: { type: "string" },
    ...(description ? { description } : {}),
  });
const objects = () => member<readonly Members[]>({ type: "array", items: { type: "object" } });

/** Members of a ticket as clients write them. */
export const ticketMembers = () => ({
  id: z.string().optional(),
  subject: text("Plain text; tags are removed."),
  body: text("Markdown; HTML is removed."),
  type: text(),
  status: text("Default `open`; no one is notified of a `draft`."),
  category: text(),
  server: text(),
  assignees: texts("User names."),
  cc: texts("User names and addresses."),
  notify: texts("Addresses."),
  tags: texts(),
  tenant: text("Whose it is, where the host serves several; default: that of the job or alert of the template."),
  due: member<number | string>({
    type: ["number", "string"],
    description: "Unix seconds, seconds from now, a text like `3 days`, or a date; 0 = never.",
  }),
  events: objects(),
  files: objects(),
  json: z.string().nullish().describe("JSON text of an object, merged over the other members."),
});

/** Merges the JSON text that forms carry over the fields beside it (docs/contract/requests.md#methods). */
export function mergeJson({ json, ...fields }: Members): Record<string, unknown> {
  if (json === undefined || json === null || json === "") return fields;
  return checkCommonParameters({ ...fields, ...membersOf(parseJson(String(json))) });
}

/** Throws `DomainError` for members that no ticket can have, without reading stored records. */
export function checkShape(sent: Members): void {
  // Form fields are texts, and whether the call came from a form is known only later.
  const fault = faultOfShape(readFormLists(sent));
  if (fault !== undefined) throw malformed(fault);
}

/** Accepts lists sent as texts from forms only. */
export function readLists(sent: Members, { headers }: Client): Members {
  if (/multipart|urlencoded/i.test(headers["content-type"] ?? "")) return readFormLists(sent);
  const fault = faultOfShape(sent);
  if (fault !== undefined) throw malformed(fault);
  return sent;
}

/** A required text that matches the pattern. Throws with the contract's messages (docs/contract/errors.md#general-errors). */
export function requireText(sent: Members, name: string, pattern: RegExp): string {
  const value = sent[name];
  if (value === undefined || value === null) throw new InputError(`Missing parameter: ${name}`);
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  if (!pattern.test(text)) throw new InputError(`Malformed parameter: ${name}`);
  return text;
}

export const authorOf = ({ id, privileges }: Actor): TicketAuthor => ({
  username: id,
  isAdmin: Object.hasOwn(privileges, "admin"),
});

/** Callers who are limited to some categories cannot reach a ticket without a category (docs/contract/tickets.md). */
const categoryOf = ({ category }: Pick<Ticket, "category">): { category: string } => ({ category: category ?? "" });
export const requireTicket = (actor: Actor, ticket: Pick<Ticket, "category">): void =>
  requireAccess(actor, categoryOf(ticket));
/** True for an actor who may see tickets of every category. */
export const seesAllTickets = (actor: Actor): boolean => mayAccess(actor, { category: "*" });
export const maySeeTicket = (actor: Actor, ticket: Ticket): boolean => mayAccess(actor, categoryOf(ticket));
