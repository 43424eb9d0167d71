import { signal } from "@preact/signals";
import { store, stored } from "../data/calls/session.ts";

export type Theme = "system" | "light" | "dark";
export const theme = signal<Theme>("system");

/** Sets a theme, or follows the system. */
export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  store("theme", chosen);
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}

export function startTheme(): void {
  const wanted = stored("theme");
  if (wanted === "light" || wanted === "dark") setTheme(wanted);
}

/** Switches between dark and light, starting from the theme on the screen. */
export function flipTheme(): void {
  const isDark = theme.value === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme.value === "dark";
  setTheme(isDark ? "light" : "dark");
}
