import { VERSION } from "../../../../lib/process/version.ts";
import type { WebHookRequest, WebHookTargets } from "../../../../ports/outside/web-hook-client.ts";
import type { WebHook } from "../../model.ts";
import type { ExpandedHook } from "../../rules/compiled.ts";

export interface RequestOptions {
  /** `web_hook_custom_opts`: defaults for the members of the hook (docs/contract/web-hooks.md#sending). */
  readonly custom: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
  readonly originBound: NonNullable<WebHookRequest["originBound"]>;
  readonly targets: WebHookTargets;
}

/** Merges a hook over the settings of all hooks; null members of the hook take the settings. */
export const settingsOf = (hook: WebHook, custom: Readonly<Record<string, unknown>>): WebHook =>
  ({ ...custom, ...Object.fromEntries(Object.entries(hook).filter(([, value]) => value !== null)) }) as WebHook;

/** Builds the request for the client. Headers of the hook replace default headers of the same name, regardless of case. */
export function buildRequest(
  hook: WebHook,
  { url, headers, body }: ExpandedHook,
  options: RequestOptions,
): WebHookRequest {
  const settings = settingsOf(hook, options.custom);
  return {
    method: hook.method,
    // The parser encodes blanks and similar characters.
    url: new URL(url).href,
    headers: allHeaders(headers, options),
    ...(body === undefined ? {} : { body }),
    timeoutMs: (settings.timeout ?? 30) * 1000,
    followRedirects: Boolean(settings.follow),
    skipCertificateCheck: Boolean(settings.ssl_cert_bypass),
    originBound: options.originBound,
    targets: options.targets,
  };
}

/** Replaces the texts of a request by the texts that people may see. The address is not parsed, because it may have no host. */
export function showRequest(
  sent: WebHookRequest,
  shown: ExpandedHook | undefined,
  options: RequestOptions,
): WebHookRequest {
  if (!shown) return sent;
  const { body: _secret, ...request } = sent;
  const { url, headers, body } = shown;
  return { ...request, url, headers: allHeaders(headers, options), ...(body === undefined ? {} : { body }) };
}

function allHeaders(
  headers: ExpandedHook["headers"],
  { custom, idempotencyKey }: RequestOptions,
): Record<string, string> {
  return mergeHeaders([
    ["User-Agent", `Signalbox/${VERSION}`],
    ["Accept-Encoding", "gzip, deflate, br"],
    ...textMembers(custom["headers"]),
    ...(idempotencyKey === undefined ? [] : [["X-Idempotency-Key", idempotencyKey] as const]),
    ...headers,
  ]);
}

/** Compares names without case; the last one wins. */
function mergeHeaders(headers: readonly (readonly [string, string])[]): Record<string, string> {
  const merged = new Map<string, readonly [string, string]>();
  for (const header of headers) merged.set(header[0].toLowerCase(), header);
  return Object.fromEntries(merged.values());
}

function textMembers(value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}
