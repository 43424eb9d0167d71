import { SignalboxError } from "../../kernel/errors/errors.ts";

/**
 * Discards files that were stored for a call that was refused. A call that failed for another reason keeps them, because it may
 * be retried with the same files. Not awaited, because the transaction holds its locks until it ends.
 */
export function discardIfRefused(error: unknown, discard: () => Promise<void>): void {
  if (error instanceof SignalboxError) void discard();
}
