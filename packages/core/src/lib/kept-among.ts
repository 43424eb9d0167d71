import { orderedText } from "./json/json-text.ts";

/**
 * Resolves to a test for values that are stored unchanged. An update only checks what it changes: an event that a stored entry
 * names may have been deleted since (docs/contract/events.md#updates).
 */
export async function keptAmong(
  stored: readonly unknown[],
  breathe: () => Promise<void>,
): Promise<(value: unknown) => boolean> {
  const texts = new Set<string>();
  for (const value of stored) {
    await breathe();
    texts.add(orderedText(value));
  }
  return (value) => texts.size > 0 && texts.has(orderedText(value));
}
