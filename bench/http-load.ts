import { connect, type Socket } from "node:net";

/** One measurement: the request, the number of connections, and the duration. */
export interface LoadOrder {
  readonly port: number;
  /** The complete request as sent. */
  readonly request: string;
  readonly connections: number;
  readonly warmupMs: number;
  readonly measureMs: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Number of answers, including the warm-up. */
  readonly answers: number;
  /** Answers that were not `200` with `"code":0`. */
  readonly failures: number;
}

interface Counts {
  answers: number;
  failures: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const SUCCESS = Buffer.from('{"code":0');

/**
 * A minimal client: Node's own costs more than the server under test and would dominate the measurement. It reads the length once
 * per answer and checks the first bytes of the body.
 */
function drive(order: LoadOrder, request: Buffer, counts: Counts): Promise<Socket> {
  const socket = connect({ port: order.port, host: "127.0.0.1", noDelay: true });
  let pending: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const head = pending.indexOf(HEAD_END);
    if (head === -1) return;
    const headers = pending.toString("latin1", 0, head);
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? Number.NaN);
    const body = head + HEAD_END.length;
    if (pending.length < body + length) return;
    const ok = headers.startsWith("HTTP/1.1 200") && pending.subarray(body, body + SUCCESS.length).equals(SUCCESS);
    counts.answers++;
    if (!ok) counts.failures++;
    pending = Buffer.alloc(0);
    socket.write(request);
  });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.write(request);
      resolve(socket);
    });
  });
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const NAP_MS = 0.2;

/**
 * Polls the sockets at short intervals instead of being woken by each answer. Waking a process costs the waker more than a whole
 * request on a virtual machine, and only when the sleeper is faster than the server: the contenders would pay for it unequally.
 */
function pollInIntervals(): Disposable {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  let running = true;
  const nap = (): void => {
    if (!running) return;
    Atomics.wait(cell, 0, 0, NAP_MS);
    setImmediate(nap);
  };
  nap();
  return {
    [Symbol.dispose]() {
      running = false;
    },
  };
}

async function measure(order: LoadOrder): Promise<LoadResult> {
  using _polling = pollInIntervals();
  const counts: Counts = { answers: 0, failures: 0 };
  const request = Buffer.from(order.request);
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => drive(order, request, counts)));
  await sleep(order.warmupMs);
  const before = counts.answers;
  const started = performance.now();
  await sleep(order.measureMs);
  const perSecond = ((counts.answers - before) * 1000) / (performance.now() - started);
  for (const socket of sockets) socket.destroy();
  return { perSecond, ...counts };
}

process.on("message", (order: LoadOrder) => {
  measure(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
