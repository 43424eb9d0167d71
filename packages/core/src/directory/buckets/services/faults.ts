import { DomainError } from "../../../kernel/errors/errors.ts";

/** Refusal to write members into data that is a list. */
export const notObject = (id: string): DomainError =>
  new DomainError("bucket", "conflict", `Bucket data is not an object: ${id}`);
