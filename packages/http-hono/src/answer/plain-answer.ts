import type { CallRequest } from "../caller/call-request.ts";
import type { HostEnv } from "../options.ts";

/**
 * An answer whose bytes are complete. Servers of Node send it directly: creating a `Response` of Node costs as much as all the
 * rest of a small call. For any other server it is converted to a `Response`.
 */
export class PlainAnswer {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: PlainAnswer["body"], status: number, headers: PlainAnswer["headers"]) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

export type Answer = Response | PlainAnswer;
/** A value, or a promise of it. */
export type Coming<A> = A | Promise<A>;

/**
 * A handler for every server that speaks `Request` and `Response`; `env` holds the server's own objects for the request. A call
 * that awaits nothing is answered synchronously.
 */
export type Handler = (request: Request, env?: HostEnv) => Coming<Response>;
export type PlainHandler = (request: Request, env?: HostEnv) => Coming<Answer>;

/** Answers calls by a plain path; undefined for any other request, which stays unread. */
export type CallHandler = (request: CallRequest, env: HostEnv) => Coming<Answer> | undefined;

/** Keys of a handler's other forms. Another copy of this package knows neither them nor their answers. */
const PLAIN = Symbol("plain");
const CALL = Symbol("call");

interface Forms {
  readonly [PLAIN]?: PlainHandler;
  readonly [CALL]?: CallHandler | undefined;
}

/** A handler that `nodeListener` may call for plain answers, and with less than a `Request`. */
export const handlerOf = (plain: PlainHandler, call?: CallHandler): Handler =>
  Object.assign((request: Request, env?: HostEnv) => toResponse(plain(request, env)), { [PLAIN]: plain, [CALL]: call });

/** The plain form of a handler; the host's own handlers have no other form. */
export const plainForm = <H extends object>(handler: H): H | PlainHandler => (handler as Forms)[PLAIN] ?? handler;
export const callForm = (handler: object): CallHandler | undefined => (handler as Forms)[CALL];

export function toResponse(answer: Answer): Response;
export function toResponse(answer: Coming<Answer>): Coming<Response>;
export function toResponse(answer: Coming<Answer>): Coming<Response> {
  if (answer instanceof Promise) return answer.then((come) => toResponse(come));
  return answer instanceof PlainAnswer ? new Response(answer.body, answer) : answer;
}
