const AS_SYSTEM = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"];

const watchers = new Set<() => unknown>();
let isWatching = false;
let themes = 0;

/** Goes up with each change of the theme: what is read of the tokens holds for one. */
export const themeNumber = (): number => {
  watch();
  return themes;
};

/** Tells when the theme has become another one, by the system or by the viewer. */
export function watchTheme(changed: () => unknown): () => void {
  watch();
  watchers.add(changed);
  return () => void watchers.delete(changed);
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  const tell = (): void => {
    themes += 1;
    for (const changed of watchers) changed();
  };
  for (const query of AS_SYSTEM) matchMedia(query).addEventListener("change", tell);
  new MutationObserver(tell).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
}
