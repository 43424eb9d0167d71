import { VERSION } from "../../../lib/version.ts";
import type { WebHookRequest } from "../../../ports/web-hook-client.ts";
import type { WebHook } from "../model.ts";
import type { ExpandedHook } from "../rules/compiled.ts";

export interface RequestOptions {
  /** `web_hook_custom_opts`: lies under the members of the hook (part 14 §2.3). */
  readonly custom: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
}

/** What the client is to send. Headers of the hook replace the default ones, whatever their case. */
export function buildRequest(
  hook: WebHook,
  { url, headers, body }: ExpandedHook,
  { custom, idempotencyKey }: RequestOptions,
): WebHookRequest {
  const settings = { ...custom, ...hook } as WebHook;
  return {
    method: hook.method,
    // The parser encodes blanks and the like.
    url: new URL(url).href,
    headers: mergeHeaders([
      ["User-Agent", `Signalbox/${VERSION}`],
      ["Accept-Encoding", "gzip, deflate, br"],
      ...textMembers(custom["headers"]),
      ...(idempotencyKey === undefined ? [] : [["X-Idempotency-Key", idempotencyKey] as const]),
      ...headers,
    ]),
    ...(body === undefined ? {} : { body }),
    timeoutMs: (settings.timeout ?? 30) * 1000,
    followRedirects: Boolean(settings.follow),
    skipCertificateCheck: Boolean(settings.ssl_cert_bypass),
  };
}

/** Names are compared without case; the last one wins. */
function mergeHeaders(headers: readonly (readonly [string, string])[]): Record<string, string> {
  const merged = new Map<string, readonly [string, string]>();
  for (const header of headers) merged.set(header[0].toLowerCase(), header);
  return Object.fromEntries(merged.values());
}

function textMembers(value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}
