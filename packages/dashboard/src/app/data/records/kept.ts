import { useRef } from "preact/hooks";
import { isEntered } from "../entered.ts";

/**
 * The record, or its last version while the page holds entries: somebody else has deleted it, and what was entered can still be
 * copied.
 */
export function useKept<Stored extends { readonly id: string }>(
  id: string,
  stored: Stored | undefined,
): Stored | undefined {
  const last = useRef(stored);
  if (stored) last.current = stored;
  return stored ?? (isEntered() && last.current?.id === id ? last.current : undefined);
}
