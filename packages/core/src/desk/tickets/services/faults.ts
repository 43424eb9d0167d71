import { DomainError, InputError, NotFoundError } from "../../../kernel/errors/errors.ts";
import { subjectOf } from "../rules/record.ts";
import { faultOfShape } from "../rules/shape.ts";

const notFound = (id: string): string => `Failed to load ticket: ${id}: Error: Item not found`;

/** The error for reads of a single ticket. */
export const noSuchTicket = (id: string): NotFoundError => new NotFoundError(notFound(id));
/** The error for writes to a ticket. */
export const unknownTicket = (id: string): DomainError => new DomainError("ticket", "unknown", notFound(id));

export const malformed = (description: string): DomainError => new DomainError("ticket", "malformed", description);
export const malformedMember = (name: string): DomainError => malformed(`Malformed ticket parameter: ${name}`);

/**
 * Throws for members that no ticket can have, without reading stored records (docs/contract/tickets.md#texts,
 * docs/contract/tickets.md#checks).
 */
export function requireMembers(sent: Readonly<Record<string, unknown>>): void {
  const fault = faultOfShape(sent);
  if (fault !== undefined) throw malformed(fault);
  if ("subject" in sent && subjectOf(sent["subject"]) === "") throw new InputError("Malformed parameter: subject");
}
