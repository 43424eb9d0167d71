/** Tells when the theme has become another one, by the system or by the viewer. */
export function watchTheme(changed: () => unknown): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const forced = new MutationObserver(() => changed());
  const tell = (): unknown => changed();
  system.addEventListener("change", tell);
  forced.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", tell);
    forced.disconnect();
  };
}
