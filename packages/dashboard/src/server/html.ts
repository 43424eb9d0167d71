import type { Assets } from "./assets.ts";

/** Allows no inline scripts or styles, nothing from other origins, and no framing (docs/guide/dashboard.md#security). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

export const GUARDED: Readonly<Record<string, string>> = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface Shell {
  readonly title: string;
  /** Relative path from this page to the base. */
  readonly up: string;
  /** Path below the base. The scripts of its page are preloaded, as a browser would learn of them one after the other. */
  readonly path: string;
}

/** The HTML document of all pages; the scripts render the rest. */
export function pageOf({ manifest }: Assets, { title, up, path }: Shell): string {
  const [, page = ""] = manifest.routes.find(([pattern]) => new RegExp(pattern).test(path)) ?? [];
  const own = manifest.pages[page] ?? [];
  const early = new Set([...manifest.preload, ...own.filter((name) => name !== manifest.entry)]);
  const scripts = [...early].map((name) => `<link rel="modulepreload" href="${up}assets/${name}">`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${up}assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}assets/${manifest.style}">
<link rel="preload" as="fetch" crossorigin href="${up}boot.json">
${scripts.join("\n")}
<script type="module" src="${up}assets/${manifest.entry}"></script>
<div id="app"></div>
<noscript>This page needs JavaScript.</noscript>
</html>
`;
}

/** The HTML document for a caller who may not see the dashboard. */
export const refusalOf = (title: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title><p>You may not look at this page.</p></html>\n`;
