import { computed, effect } from "@preact/signals";
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
