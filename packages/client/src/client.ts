import { type Api, type CallOptions, pathOf } from "./api.ts";
import { errorOf, SignalboxError } from "./error.ts";
import { readStream, type StreamEvent, type StreamOptions } from "./stream.ts";

/** Address of the API, and credentials. Without a key the browser's session cookie authenticates the user. */
export interface ClientOptions {
  /** Address of the API, up to `/api`: `https://ops.example.com/ops/api`, or `/ops/api` in a page. */
  readonly url: string;
  readonly apiKey?: string;
  /** CSRF token of a session that came with a cookie; `userLogin` and `userResumeSession` set it themselves. */
  readonly csrfToken?: string;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
}

export interface Client {
  readonly api: Api;
  /** Follows an event stream (`stream_updates`, `stream_job`) and resumes it after a lost connection. */
  stream(
    operation: "stream_updates" | "stream_job" | (string & {}),
    input?: object,
    options?: StreamOptions,
  ): AsyncIterable<StreamEvent>;
  /** Address of a GET operation, for links and downloads by the browser. */
  href(operation: string, input?: object): string;
  /** Sets the value of `X-CSRF-Token` from now on. */
  useCsrfToken(token: string): void;
}

const isOfType = ({ headers }: Response, type: string): boolean =>
  (headers.get("content-type") ?? "").replace(/\s*;.*/, "").toLowerCase() === type;

const PAGE = "A page came in place of the answer: a sign-in or a proxy may be in front of the API";

/** Throws for an HTML page: something other than the API answered with status 200, and nothing was done. */
function refusePage(response: Response): void {
  if (isOfType(response, "text/html")) throw new SignalboxError("http", PAGE, { status: response.status });
}

/** Resolves to the answer; throws when it is a failure. */
async function send(ask: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  const response = await ask(url, { credentials: "same-origin", ...init }).catch((cause: Error) => {
    if (init.signal?.aborted) throw cause;
    throw new SignalboxError("network", `No answer from ${url.replace(/\?.*/s, "")}: ${cause.message}`, { cause });
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** Path and query of an operation that is called by GET. */
function pathTo(operation: string, input: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) if (value != null) query.set(name, String(value));
  const path = operation.includes("/") ? operation : `app/${operation}`;
  return `/${path}/v1${query.size > 0 ? `?${query}` : ""}`;
}

function baseOf(options: Partial<ClientOptions> | undefined): string {
  if (typeof options?.url !== "string")
    throw new TypeError('createClient: url is missing: give the address of the API, such as "/ops/api"');
  return options.url.replace(/\/+$/, "");
}

/** Makes a client. Nothing is requested before the first call. Throws `TypeError` without an address. */
export function createClient(options: ClientOptions): Client {
  const base = baseOf(options);
  const ask = options.fetch ?? fetch;
  let csrfToken = options.csrfToken ?? "";

  const headers = (more: Record<string, string>): Record<string, string> => ({
    ...options.headers,
    ...(options.apiKey ? { "X-API-Key": options.apiKey } : {}),
    ...(csrfToken ? { "X-CSRF-Token": csrfToken } : {}),
    ...more,
  });

  async function call(method: string, input: object = {}, { signal, files }: CallOptions = {}): Promise<unknown> {
    const body = files ? formOf(input, files) : JSON.stringify(input);
    const type: Record<string, string> = files ? {} : { "Content-Type": "application/json" };
    const init = { method: "POST", headers: headers(type), body, ...(signal ? { signal } : {}) };
    const response = await send(ask, `${base}/${pathOf(method)}`, init);
    // Returned unread: a stored file may itself be JSON or a page.
    if (method === "file") return response;
    const answer = await answerOf(response, signal);
    const token = (answer as Record<string, unknown>)["csrf_token"];
    if (typeof token === "string") csrfToken = token;
    return answer;
  }

  const href = (operation: string, input?: object): string => base + pathTo(operation, input);

  return {
    api: new Proxy({} as Api, {
      // An async function may return a client, and `await` looks for its method `then`.
      get: (_api, name) => (typeof name !== "string" || name === "then" ? undefined : call.bind(undefined, name)),
    }),
    stream: (operation, input, streamOptions = {}) =>
      readStream(async (lastEventId, signal) => {
        const resumed: Record<string, string> = lastEventId ? { "Last-Event-ID": lastEventId } : {};
        const response = await send(ask, href(operation, input), { headers: headers(resumed), signal });
        refusePage(response);
        return response;
      }, streamOptions),
    href,
    useCsrfToken: (token) => {
      csrfToken = token;
    },
  };
}

/** Parses JSON; returns everything else as the response to read it from. */
async function answerOf(response: Response, signal: AbortSignal | undefined): Promise<object> {
  refusePage(response);
  if (!isOfType(response, "application/json")) return response;
  const answer = (await response.json().catch((cause: Error) => {
    if (signal?.aborted) throw cause;
    // The connection was lost in the middle of the answer.
    throw new SignalboxError("network", cause.message, { cause });
  })) as Record<string, unknown>;
  // Some operations answer a failure with status 200, for clients of older systems.
  if (typeof answer["code"] !== "string") return answer;
  throw new SignalboxError(answer["code"], String(answer["description"] ?? ""), { status: response.status });
}

function formOf(input: object, files: NonNullable<CallOptions["files"]>): FormData {
  const form = files instanceof FormData ? files : new FormData();
  if (!(files instanceof FormData)) {
    const named = Array.isArray(files)
      ? files.map((file, at) => [`file${at + 1}`, file] as const)
      : Object.entries(files);
    for (const [name, file] of named) form.append(name, file);
  }
  if (Object.keys(input).length > 0) form.set("json", JSON.stringify(input));
  return form;
}
