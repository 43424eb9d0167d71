import { computed, effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { boot } from "../data/calls/session.ts";
import { counts } from "../data/records/counts.ts";

export interface Crumb {
  readonly title: string;
  /** Absent for the page itself. */
  readonly href?: string;
}

const path = signal<readonly Crumb[]>([]);
export const crumbs = computed(() => path.value);

/** Says the path to a page, which is the title of the tab as well: `useCrumbs([{ title: "Jobs", href: href("/jobs") }, { title: id }])`. */
export function useCrumbs(given: readonly Crumb[]): void {
  const key = JSON.stringify(given);
  useEffect(() => {
    path.value = given;
  }, [key]);
}

/** For a page that could not say its own: the path of the one before would be wrong. */
export const forgetCrumbs = (): void => {
  path.value = [];
};

/** The worst open state first, so that a row of tabs tells. */
export function startTitle(): void {
  effect(() => {
    const product = boot.value?.title ?? "";
    const here = path.value.at(-1)?.title ?? "";
    const { alerts } = counts.value;
    document.title = `${alerts > 0 ? `● ${alerts} · ` : ""}${here ? `${here} · ` : ""}${product}`;
  });
}
