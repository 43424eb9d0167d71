import { computed, effect } from "@preact/signals";
import { isGuarded } from "../router/entries.ts";
import { place } from "../router/router.ts";

let isTyped = false;

/** True while the page may hold what somebody entered and has not saved. */
export const isEntered = (): boolean => isTyped || isGuarded();

/** Watches the fields of forms; another page begins without entries. */
export function startEntered(): void {
  addEventListener("input", ({ target }) => {
    isTyped ||= (target as Element).closest("form") !== null;
  });
  // A filter or a tab in the address is the same page.
  const path = computed(() => place.value.path);
  effect(() => {
    isTyped = path.value === undefined;
  });
}
