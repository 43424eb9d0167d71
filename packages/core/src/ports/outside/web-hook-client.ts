import type { Probe, ProbeAnswer } from "./probe.ts";

/** One request of a web hook, with its templates filled in. */
export interface WebHookRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Timeout in milliseconds until the first byte of the answer, and between bytes. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  /** Most redirects to follow, if the client would follow more. */
  readonly maxRedirects?: number;
  readonly skipCertificateCheck: boolean;
  /** Headers and body that are dropped on a redirect to another origin, in addition to `Authorization` and `Cookie`. */
  readonly originBound?: { readonly headers: readonly string[]; readonly body: boolean };
  /** Absent = public addresses only, plus the client's own permissions. */
  readonly targets?: WebHookTargets;
}

/**
 * Targets that requests may reach, checked for each address of a host and again after each redirect. Entries are kinds of
 * addresses (`loopback`, `private`, `link-local`, `metadata`, `multicast`, `reserved`, `unspecified`), addresses, blocks
 * (`10.1.0.0/16`), host names, or `*.` and a domain.
 */
export interface WebHookTargets {
  /** Permits addresses that are not public. */
  readonly allow: readonly string[];
  /** Permits only the white list minus the black list: `allow` and public addresses add nothing. */
  readonly airGap?: { readonly whitelist: readonly string[]; readonly blacklist: readonly string[] };
}

/** The answer to a web hook, of any status. */
export interface WebHookResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body, decompressed; at most 1 MB. */
  readonly body: string;
  readonly elapsedMs: number;
  /** Unix seconds at which the server's certificate expires; absent = there is none, or the client does not report it. */
  readonly certificateEnds?: number;
}

/** Sends web hooks, for example with `fetch` (`fetchWebHookClient` of `@signalbox/adapters/web-hook`). */
export interface WebHookClient {
  /**
   * Sends one request, without retries. Resolves for every HTTP status; rejects when there is no answer, with `TypeError` when a
   * retry is pointless: the target is refused or the request is malformed.
   */
  send(request: WebHookRequest, signal: AbortSignal): Promise<WebHookResponse>;
  /**
   * Probes a server that does not speak HTTP, under the same rules about targets. Rejects as `send` does, and with errors of the
   * system, which have a `code`. Absent = not supported.
   */
  probe?(request: Probe, signal: AbortSignal): Promise<ProbeAnswer>;
}
