import { connect, type Socket } from "node:net";

/** Requests for one turn of a measurement. */
export interface Turn {
  readonly port: number;
  readonly connections: number;
  readonly count: number;
  /** Makes a complete request as sent. */
  readonly request: () => string;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");
const SUCCESS = Buffer.from('{"code":0');

/** A request of a program that keeps its connection open and sends a key. */
export function request(method: "GET" | "POST", path: string, key: string, body?: object): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
  return `${head}${method === "POST" ? `Content-Length: ${Buffer.byteLength(text)}\r\n` : ""}\r\n${text}`;
}

/** The index after the first answer in the bytes so far, or -1 while it is incomplete; throws unless the answer is a success. */
function endOf(pending: Buffer): number {
  const head = pending.indexOf(HEAD_END);
  if (head === -1) return -1;
  const headers = pending.toString("latin1", 0, head);
  const body = head + HEAD_END.length;
  const isChunked = /transfer-encoding: chunked/i.test(headers);
  const end = isChunked ? pending.length : body + Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? Number.NaN);
  if (!(pending.length >= end) || (isChunked && !pending.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK))) return -1;
  const text = isChunked ? pending.indexOf("\r\n", body) + 2 : body;
  if (!headers.startsWith("HTTP/1.1 200") || !pending.subarray(text, text + SUCCESS.length).equals(SUCCESS))
    throw new Error(`No success: ${pending.toString("utf8", 0, 600)}`);
  return end;
}

/** The unanswered request, if any, when the server closed the connection. */
type Left = string | undefined;

/**
 * One caller, which sends its next request when the last is answered, as people and programs do. A server closes a connection
 * that is idle for five seconds; a caller at the lowest priority may wait longer than that for its processor, and then the
 * request that it was about to send remains.
 */
function call(socket: Socket, next: () => string | undefined): Promise<Left> {
  return new Promise((resolve, reject) => {
    let pending: Buffer = Buffer.alloc(0);
    let asked: string | undefined;
    let hasAnswered = false;
    const send = (): void => {
      asked = next();
      if (asked === undefined) resolve(undefined);
      else socket.write(asked);
    };
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (hasAnswered && pending.length === 0) resolve(asked);
      else reject(new Error("The server closed a connection"));
    });
    socket.on("data", (chunk: Buffer) => {
      try {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        if (endOf(pending) === -1) return;
        pending = Buffer.alloc(0);
        hasAnswered = true;
        send();
      } catch (error) {
        reject(error as Error);
      }
    });
    send();
  });
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });

/** Calls until there is nothing to send, over a new connection whenever the server closes one. */
async function callAll(first: Socket, port: number, next: () => string | undefined): Promise<void> {
  let left: Left;
  let socket = first;
  for (;;) {
    const again = left;
    let isFirst = true;
    left = await call(socket, () => {
      const text = isFirst ? (again ?? next()) : next();
      isFirst = false;
      return text;
    });
    socket.destroy();
    if (left === undefined) return;
    socket = await open(port);
  }
}

/**
 * Sends `count` requests over `connections` connections. Each answer wakes the client as it would any other: the server's cost of
 * waking it is part of a request.
 */
export async function drive({ port, connections, count, request: make }: Turn): Promise<void> {
  let left = count;
  const next = (): string | undefined => (left-- > 0 ? make() : undefined);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  await Promise.all(sockets.map((socket) => callAll(socket, port, next)));
}
