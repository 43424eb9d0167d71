import type { WebHookRequest, WebHookResponse } from "../../../../ports/outside/web-hook-client.ts";
import type { Redact } from "../../rules/redact.ts";

/** Facts for the report of one firing. */
export interface HookReport {
  /** The request as people may see it. */
  readonly request: WebHookRequest;
  /** Hides secrets in the answer. */
  readonly redact: Redact;
  readonly retries: number;
  readonly attempts: number;
  readonly totalMs: number;
  /** Absent when there was no answer. */
  readonly response: WebHookResponse | undefined;
}

/** Characters of a body in a report; longer ones are cut, so that a record with the report stays small. */
const MAX_BODY = 65_536;

/** The report of a firing in Markdown, without empty parts (docs/contract/web-hooks.md#report). */
export function describeHook({ request, retries, attempts, totalMs, response, redact }: HookReport): string {
  const seconds = request.timeoutMs / 1000;
  const facts = [
    `- **Method:** ${request.method}`,
    `- **URL:** ${request.url}`,
    `- **Redirects:** ${request.followRedirects ? "Follow" : "n/a"}`,
    `- **Max Retries:** ${retries || "None"}`,
    `- **Timeout:** ${seconds} ${seconds === 1 ? "second" : "seconds"}`,
  ];
  const perf = {
    scale: 1000,
    perf: { total: round(totalMs), wait: round(response?.elapsedMs ?? 0) },
    counters: { attempts },
  };
  return [
    facts.join("\n"),
    section("Request Headers", headerLines(request.headers), "http"),
    section("Request Body", request.body ?? "", ""),
    section("Response", response ? redact(statusLine(response)) : "", "http"),
    section("Response Headers", redact(headerLines(response?.headers ?? {})), "http"),
    section("Response Body", redact(response?.body ?? ""), ""),
    section("Timing", JSON.stringify(perf, undefined, "\t"), "json"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** A status line such as "200 OK". The reason comes from the other side, so it is reduced to plain text. */
export function statusLine({ status, statusText }: Pick<WebHookResponse, "status" | "statusText">): string {
  const reason = statusText.replace(/[^\x20-\x7e]|[<>]/g, "").slice(0, 100);
  return `${status} ${reason}`.trim();
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

function section(title: string, text: string, language: string): string {
  if (!/\S/.test(text)) return "";
  const cut = text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}\n(${text.length - MAX_BODY} more characters)` : text;
  const fence = fenceFor(cut);
  return `**${title}:**\n\n${fence}${language}\n${cut}\n${fence}`;
}

/** A fence longer than any run of backticks in the text, so that a remote text cannot end its block. */
function fenceFor(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  return "`".repeat(longest + 1);
}
