import type { HostEnv } from "./options.ts";

/**
 * An answer whose bytes are at hand. Servers of Node send it as it is: a `Response` of Node costs them as much as all the
 * rest of a small call. For any other server it becomes one.
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
type Coming<A> = A | Promise<A>;

/**
 * For every server that speaks `Request` and `Response`; `env` is what that server knows beside the request. A call that
 * waits for nothing is answered at once.
 */
export type Handler = (request: Request, env?: HostEnv) => Coming<Response>;
export type PlainHandler = (request: Request, env?: HostEnv) => Coming<Answer>;

/** Where a handler keeps the form of it that answers plainly. Another copy of this package does not know it, nor its answers. */
const PLAIN = Symbol("plain");

/** A handler that `nodeListener` may ask for plain answers. */
export const handlerOf = (plain: PlainHandler): Handler =>
  Object.assign((request: Request, env?: HostEnv) => toResponse(plain(request, env)), { [PLAIN]: plain });

/** A handler of the host's own has no other form. */
export const plainForm = <H extends object>(handler: H): H | PlainHandler =>
  (handler as { readonly [PLAIN]?: PlainHandler })[PLAIN] ?? handler;

export function toResponse(answer: Answer): Response;
export function toResponse(answer: Coming<Answer>): Coming<Response>;
export function toResponse(answer: Coming<Answer>): Coming<Response> {
  if (answer instanceof Promise) return answer.then((come) => toResponse(come));
  return answer instanceof PlainAnswer ? new Response(answer.body, answer) : answer;
}
