import { DomainError } from "../../../kernel/errors/errors.ts";

/** Members cannot be written into a list. */
export const notObject = (id: string): DomainError =>
  new DomainError("bucket", "conflict", `Bucket data is not an object: ${id}`);
