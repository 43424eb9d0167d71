import { escapeHtml } from "../../../../lib/text/html.ts";
import type { LinkVerdict } from "./verdict.ts";

/** A firing in the form in which the page lists it. */
export interface PageEntry {
  readonly title: string;
  readonly place: string;
  readonly severity: string;
  /** Time with its time zone. */
  readonly since: string;
  /** Name of the person who acknowledged it. */
  readonly by?: string | undefined;
}

export interface PageFacts {
  readonly product: string;
  /** Address of the client, for people with a login. */
  readonly signIn: string;
  readonly verdict: LinkVerdict;
  /** Firings of the problem; empty for an invalid link. */
  readonly entries: readonly PageEntry[];
  /** Whether the page asks for a name, because the link names no user. */
  readonly asksName: boolean;
  /** Nonce that the Content-Security-Policy requires for the style of the page. */
  readonly nonce: string;
}

/** Maximum firings to list; the rest is only counted. */
const MAX_SHOWN = 100;

/** Seconds for which a person can acknowledge a problem, in addition to "until it is over". */
export const DURATIONS = [
  ["3600", "1 hour"],
  ["14400", "4 hours"],
  ["86400", "24 hours"],
] as const;

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
label{display:block;margin:1rem 0}input,textarea,select{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}
button{font:inherit;padding:.5rem 1.5rem}
`;

/** The page of a link. It needs no script, and nothing changes until its form is sent. */
export function linkPage({ product, signIn, verdict, entries, asksName, nonce }: PageFacts): string {
  const title = `${product}: ${verdict.state === "ask" ? "Acknowledge a problem" : verdict.text}`;
  const list = verdict.state === "ask" || verdict.state === "taken" ? listHtml(entries) : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${escapeHtml(product)}</h1><p>${escapeHtml(verdict.text)}</p>
${list}${verdict.state === "ask" ? formHtml(asksName) : ""}<p><a href="${escapeHtml(signIn)}">Sign in to ${escapeHtml(product)}</a></p>
</main></body></html>
`;
}

function listHtml(entries: readonly PageEntry[]): string {
  const rows = entries.slice(0, MAX_SHOWN).map(({ title, place, severity, since, by }) => {
    const taken = by === undefined ? "" : `, acknowledged by ${by}`;
    return `<li><strong>${escapeHtml(title)}</strong> ${escapeHtml(`on ${place}: ${severity}, since ${since}${taken}`)}</li>`;
  });
  const more = entries.length > MAX_SHOWN ? `<p>and ${entries.length - MAX_SHOWN} more</p>\n` : "";
  return `<ul>\n${rows.join("\n")}\n</ul>\n${more}`;
}

const OPTIONS = DURATIONS.map(([seconds, text]) => `<option value="${seconds}">${text}</option>`).join("");

/** The form; it posts to the address of the page. */
const formHtml = (asksName: boolean): string =>
  `<form method="post">
${asksName ? '<label>Your name<input name="name" maxlength="64" autocomplete="name"></label>\n' : ""}<label>Comment<textarea name="comment" rows="3" maxlength="10000"></textarea></label>
<label>For<select name="duration"><option value="">Until it is over</option>${OPTIONS}</select></label>
<button>Acknowledge</button></form>
`;

/** Headers that keep the page, and its address, which is a credential, from caches, frames, other sites and search engines. */
export const linkHeaders = (nonce: string): Record<string, string> => ({
  "Cache-Control": "no-store",
  "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
});
