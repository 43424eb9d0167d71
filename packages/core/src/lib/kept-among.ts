import { orderedText } from "./json/json-text.ts";

/**
 * Whether a value is one of the stored ones, unchanged. An update checks what it changes: an event that a stored entry names
 * may be gone by now (docs/contract/events.md#updates).
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
