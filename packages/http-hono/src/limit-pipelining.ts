import type { IncomingMessage, ServerResponse } from "node:http";

/** What `createServer` of `node:http` takes. */
type RequestListener<Request extends IncomingMessage, Response extends ServerResponse> = (
  request: Request,
  response: Response,
) => unknown;

/** Clients and proxies send the next request of a connection when the answer is there; HTTP allows them not to wait. */
const MOST_AT_ONCE = 8;

/**
 * Closes connections that send more than so many requests (8) without waiting for their answers. Node hands on all requests
 * of a packet in one go: 2,400 of them, which is what 64 KB hold, keep the loop for 45 ms when each is answered, and for 10
 * when what comes behind the first few is left alone.
 *
 * @example
 * const { fetch } = createRouter(signalbox);
 * createServer(limitPipelining(getRequestListener(fetch))).listen(5522);
 */
export function limitPipelining<Request extends IncomingMessage, Response extends ServerResponse>(
  listener: RequestListener<Request, Response>,
  most: number = MOST_AT_ONCE,
): RequestListener<Request, Response> {
  const waiting = new WeakMap<object, number>();
  const add = (socket: object, change: 1 | -1): number => {
    const count = (waiting.get(socket) ?? 0) + change;
    waiting.set(socket, count);
    return count;
  };
  return (request, response) => {
    const { socket } = request;
    // What is left of a packet comes although its connection is closed.
    if (socket.destroyed || add(socket, 1) > most) {
      // Ended before their connection is: Node would end each with an error whose stack it writes out, a quarter of the cost.
      request.destroy();
      response.destroy();
      socket.destroy();
      return;
    }
    response.once("close", () => add(socket, -1));
    listener(request, response);
  };
}
