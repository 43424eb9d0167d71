import { computed, effect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { isGuarded } from "../router/entries.ts";
import { place } from "../router/router.ts";

let isTyped = false;

/** True while the page may hold unsaved entries. */
export const isEntered = (): boolean => isTyped || isGuarded();

/** Watches the fields of forms. Going to another page resets the state. */
export function startEntered(): void {
  addEventListener("input", ({ target }) => {
    isTyped ||= (target as Element).closest("form") !== null;
  });
  // Only the path counts: a filter or a tab in the address is the same page.
  const path = computed(() => place.value.path);
  effect(() => {
    isTyped = path.value === undefined;
  });
}

/**
 * The record, or its last version while the page holds entries: somebody else has deleted it, and the entries can still be
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

/**
 * True once a record that was in its list is no longer there: somebody has deleted it. One that was just created may not be
 * in the list yet.
 */
export function useDeleted(stored: object | undefined): boolean {
  const wasListed = useRef(false);
  wasListed.current ||= stored !== undefined;
  return wasListed.current && stored === undefined;
}
