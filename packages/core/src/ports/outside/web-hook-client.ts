import type { Probe, ProbeAnswer } from "./probe.ts";

/** One request of a web hook, with its templates filled in. */
export interface WebHookRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds to the first byte of the answer, and between bytes. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  /** Most redirects, where the client would follow more. */
  readonly maxRedirects?: number;
  readonly skipCertificateCheck: boolean;
  /** Headers and body that a redirect to another origin drops, beside `Authorization` and `Cookie`. */
  readonly originBound?: { readonly headers: readonly string[]; readonly body: boolean };
  /** Absent = public addresses alone, and the client's own permissions. */
  readonly targets?: WebHookTargets;
}

/**
 * Targets that requests may reach, judged for each address of a host and after each redirect. Entries are kinds of
 * addresses (`loopback`, `private`, `link-local`, `metadata`, `multicast`, `reserved`, `unspecified`), addresses,
 * blocks (`10.1.0.0/16`), host names, or `*.` and a domain.
 */
export interface WebHookTargets {
  /** Opens addresses that are not public. */
  readonly allow: readonly string[];
  /** Nothing but the white list without the black list: `allow` and public addresses open nothing more. */
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
  /** Unix seconds at which the certificate of the server ends; absent = there is none, or the client does not tell. */
  readonly certificateEnds?: number;
}

/** Sends web hooks, for example with `fetch` (`fetchWebHookClient` of `@signalbox/adapters/web-hook`). */
export interface WebHookClient {
  /**
   * One request, no retries. Resolves for every HTTP status; rejects when there is no answer, with `TypeError` when a
   * repeat is of no use: the target is refused or the request is malformed.
   */
  send(request: WebHookRequest, signal: AbortSignal): Promise<WebHookResponse>;
  /**
   * Asks a server that speaks no HTTP, under the same rules about targets; rejects as `send` does, errors of the system
   * with their `code`. Absent = this client cannot.
   */
  probe?(request: Probe, signal: AbortSignal): Promise<ProbeAnswer>;
}
