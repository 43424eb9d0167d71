import { DomainError } from "../../kernel/errors/errors.ts";
import { shown } from "./rules/format/lines.ts";

const malformed = (text: string): DomainError => new DomainError("admin", "malformed", text);

/** Refusals of exports, imports and deletions (docs/contract/transfer.md#refusals). */
export const nothingToExport = (): DomainError => malformed("No data selected for export.");
export const nothingToDelete = (): DomainError => malformed("No data selected for deletion.");
export const nothingToImport = (): DomainError => malformed("No file data found for import");
export const noArray = (what: string): DomainError => malformed(`Invalid request (${what} must be an array).`);
export const unknownItem = (name: string): DomainError => malformed(`Unknown data selected: ${shown(name)}`);
export const denied = (): DomainError => new DomainError("admin", "denied", "Access denied.");
export const hostedImport = (): DomainError =>
  new DomainError("admin", "conflict", "A file cannot be imported inside a transaction of the host.");
