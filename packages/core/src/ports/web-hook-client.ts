export interface WebHookRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds to the first byte of the answer, and between bytes. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  readonly skipCertificateCheck: boolean;
}

export interface WebHookResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** At most 1 MB, decompressed. */
  readonly body: string;
  readonly elapsedMs: number;
}

export interface WebHookClient {
  /** One request, no retries. Resolves for every HTTP status; rejects when there is no answer. */
  send(request: WebHookRequest, signal: AbortSignal): Promise<WebHookResponse>;
}
