import type { IncomingMessage, ServerResponse } from "node:http";

/** A listener of `createServer` of `node:http`. */
type RequestListener<Request extends IncomingMessage, Response extends ServerResponse> = (
  request: Request,
  response: Response,
) => unknown;

/**
 * Requests of a connection that may wait: clients and proxies usually wait for an answer, though HTTP does not demand
 * it.
 */
const MOST_AT_ONCE = 8;

/**
 * Closes connections that send more than so many requests (8) without waiting for their answers. Node hands on all
 * requests of a packet in one go: 2,400 of them, which fit into 64 KB, keep the loop for 45 ms when each is
 * answered, and for 8 when requests behind the first few are left alone.
 *
 * @example
 * const { fetch } = createRouter(signalbox);
 * createServer(limitPipelining(getRequestListener(fetch))).listen(5522);
 */
export function limitPipelining<Request extends IncomingMessage, Response extends ServerResponse>(
  listener: RequestListener<Request, Response>,
  most: number = MOST_AT_ONCE,
): RequestListener<Request, Response> {
  const connections = new WeakMap<object, { waiting: number }>();
  const connectionOf = (socket: object): { waiting: number } => {
    const known = connections.get(socket);
    if (known) return known;
    const made = { waiting: 0 };
    connections.set(socket, made);
    return made;
  };
  return (request, response) => {
    const { socket } = request;
    // The rest of a packet comes although its connection is closed.
    if (socket.destroyed) return;
    const connection = connectionOf(socket);
    if (++connection.waiting > most) {
      closeWithoutStacks(socket);
      return;
    }
    // Node says so once.
    response.on("close", () => {
      connection.waiting -= 1;
    });
    listener(request, response);
  };
}

/**
 * Closes a connection. Node ends every request of it with an error of its own; errors of a flood are not read, and
 * their stacks are three quarters of the cost: 13 ms for 1,300 requests, 4 without.
 */
function closeWithoutStacks(socket: IncomingMessage["socket"]): void {
  let limit = Error.stackTraceLimit;
  const restore = (): void => setStackLimit(limit);
  // Around the listener of Node, which makes the errors in one go.
  socket.prependOnceListener("close", () => {
    limit = Error.stackTraceLimit;
    setStackLimit(0);
    // Needed if a listener throws: later ones, and so `restore`, are not called then.
    queueMicrotask(restore);
  });
  socket.once("close", restore);
  socket.destroy();
}

/** Changes nothing where a host has frozen the built-in objects. */
const setStackLimit = (limit: number): void => void Reflect.set(Error, "stackTraceLimit", limit);
