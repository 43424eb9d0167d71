import { SignalboxError } from "../../kernel/errors/errors.ts";

/**
 * Discards files that were kept for a call which is refused; a call that failed otherwise may be tried again with the same
 * files. Not awaited: the transaction holds its locks until it ends.
 */
export function discardIfRefused(error: unknown, discard: () => Promise<void>): void {
  if (error instanceof SignalboxError) void discard();
}
