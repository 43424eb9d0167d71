import { computed, effect, signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { boot } from "../data/calls/session.ts";
import { counts } from "../data/records/counts.ts";

export interface Crumb {
  readonly title: string;
  /** Absent for the current page. */
  readonly href?: string;
}

const path = signal<readonly Crumb[]>([]);
export const crumbs = computed(() => path.value);

/** Sets the path to a page, whose end names the tab: `useCrumbs([{ title: "Jobs", href: href("/jobs") }, { title: id }])`. */
export function useCrumbs(given: readonly Crumb[]): void {
  const key = JSON.stringify(given);
  useLayoutEffect(() => {
    path.value = given;
  }, [key]);
}

/** Removes the breadcrumbs of the previous page when a page fails before it sets its own. */
export const forgetCrumbs = (): void => {
  path.value = [];
};

/** Sets the title of the tab, with the worst open state first, so that it shows in a row of tabs. */
export function startTitle(): void {
  effect(() => {
    const product = boot.value?.title ?? "";
    const here = path.value.at(-1)?.title ?? "";
    const { alerts } = counts.value;
    document.title = `${alerts > 0 ? `● ${alerts} · ` : ""}${here ? `${here} · ` : ""}${product}`;
  });
}
