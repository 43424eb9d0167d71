import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { cutText } from "./cut-text.ts";
import { codeOf } from "./runners/error-code.ts";
import {
  type CallMessage,
  type FileStep,
  type FromThread,
  MARK,
  MAX_DATA_LENGTH,
  type ThreadData,
  type ToThread,
} from "./worker/worker-messages.ts";
import { threadWorld } from "./worker/worker-world.ts";

/** Entry of the worker threads that run host functions, one call at a time, as the pool sends them. */

/** Most characters of log in one message, and in messages that the host's thread has not taken yet. */
const MAX_LOG_LENGTH = 65_536;
const MAX_BACKLOG = 1_048_576;
/** Interval at which log and progress are sent. */
const GAP_MS = 50;
/** A function that has not awaited anything for this long is told of its abort when it sends output. */
const DEAF_MS = 250;

type Without<Message> = Message extends { readonly call: number } ? Omit<Message, "call" | "from"> : never;

interface Call {
  readonly message: CallMessage;
  readonly abort: AbortController;
  readonly waiting: Map<number, { resolve(value: Uint8Array | undefined): void; reject(error: Error): void }>;
  readonly outlet: ReturnType<typeof createOutlet>;
}

const port = parentPort;
if (!port) throw new Error("Not the main module of a thread");
const backlog = new Int32Array((workerData as ThreadData).backlog);
let current: Call | undefined;
let asked = 0;
let opened = 0;

port.on("message", take);

function take(message: ToThread): void {
  if (message.kind === "call") void perform(message);
  else if (current && message.call === current.message.call) hear(current, message);
}

function hear({ abort, waiting }: Call, message: Exclude<ToThread, CallMessage>): void {
  if (message.kind === "abort") {
    abort.abort(new Error(message.reason));
    return;
  }
  const waiter = waiting.get(message.ask);
  waiting.delete(message.ask);
  if (message.kind === "reply") waiter?.resolve(message.value);
  else waiter?.reject(new Error(message.message));
}

async function perform(message: CallMessage): Promise<void> {
  const send = (content: Without<FromThread>): void =>
    port?.postMessage({ ...content, from: MARK, call: message.call } as FromThread);
  const call: Call = { message, abort: new AbortController(), waiting: new Map(), outlet: createOutlet(send) };
  current = call;
  try {
    const run = await load(message);
    // A signal that has aborted already calls no listeners.
    call.abort.signal.throwIfAborted();
    call.outlet.turned();
    const data = dataOf(await run(runOf(call, send)));
    call.outlet.flush();
    send({ kind: "done", data });
  } catch (error) {
    call.outlet.flush();
    send({ kind: "failed", code: codeOf(error), message: error instanceof Error ? error.message : String(error) });
  } finally {
    current = undefined;
  }
}

async function load({ module, export: name }: CallMessage): Promise<(run: unknown) => unknown> {
  const shown = module.slice(0, 200);
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = await import(module);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Worker module could not be loaded: ${shown}: ${reason}`, { cause: error });
  }
  const run = loaded[name];
  if (typeof run !== "function") throw new Error(`Worker module exports no function "${name}": ${shown}`);
  return run as (run: unknown) => unknown;
}

/** The function's argument, the same as for a function in the host's thread. */
function runOf(call: Call, send: (content: Without<FromThread>) => void): unknown {
  const { abort, outlet, message } = call;
  const { params, data, job, secrets, input, inputFiles } = message;
  return {
    params,
    data,
    job,
    secrets,
    input,
    signal: abort.signal,
    ...threadWorld,
    log: outlet.log,
    progress: outlet.progress,
    tag: (...ids: unknown[]) => send({ kind: "tag", ids: ids.map(String) }),
    files: { input: inputFiles, read: (name: string) => read(call, send, name), write: createWrite(call, send) },
  };
}

type Send = (content: Without<FromThread>) => void;

function ask({ waiting }: Call, send: Send, { file, step }: { file: number; step: FileStep }) {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined>();
  asked += 1;
  waiting.set(asked, { resolve, reject });
  send({ kind: "ask", ask: asked, file, step });
  return promise;
}

async function* read(call: Call, send: Send, filename: string): AsyncGenerator<Uint8Array> {
  opened += 1;
  const file = opened;
  await ask(call, send, { file, step: { step: "open", filename: String(filename) } });
  try {
    for (;;) {
      const piece = await ask(call, send, { file, step: { step: "next" } });
      if (!piece) return;
      yield piece;
    }
  } finally {
    await ask(call, send, { file, step: { step: "close" } });
  }
}

const createWrite =
  (call: Call, send: Send) =>
  async (filename: string, content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<void> => {
    opened += 1;
    const file = opened;
    await ask(call, send, { file, step: { step: "create", filename: String(filename) } });
    try {
      for await (const piece of piecesOf(content)) await ask(call, send, { file, step: { step: "push", piece } });
    } catch (error) {
      await ask(call, send, { file, step: { step: "fail", message: String(error) } });
      throw error;
    }
    await ask(call, send, { file, step: { step: "end" } });
  };

function piecesOf(content: string | Uint8Array | AsyncIterable<Uint8Array>) {
  if (typeof content === "string") return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

// biome-ignore lint/plugin: a thread of its own has no ports, and only paces itself by this.
const nowMs = (): number => performance.now();

/** Collects the output of a function, so that frequent messages cost the host's thread little. */
function createOutlet(send: Send) {
  let pieces: string[] = [];
  let length = 0;
  let progress: { fraction: number; status: string | undefined } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let awaitsTurn = false;
  let lastMs = Number.NEGATIVE_INFINITY;
  let turnedMs = nowMs();
  const turned = (): void => {
    awaitsTurn = false;
    turnedMs = nowMs();
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    lastMs = nowMs();
    if (length > 0) sendLog(send, pieces.join(""));
    pieces = [];
    length = 0;
    if (progress) send({ kind: "progress", ...progress });
    progress = undefined;
    // Only when the function hogs the thread: otherwise it learns of its abort from the event loop, never between two of its
    // lines.
    if (nowMs() - turnedMs > DEAF_MS) drain();
    if (!awaitsTurn) setImmediate(turned);
    awaitsTurn = true;
  };
  const soon = (): void => {
    if (length >= MAX_LOG_LENGTH || nowMs() - lastMs >= GAP_MS) flush();
    else timer ??= setTimeout(flush, GAP_MS);
  };
  return {
    flush,
    /** Called when the thread's event loop gets a turn. */
    turned,
    log(text: unknown): void {
      const line = String(text);
      pieces.push(line.endsWith("\n") ? line : `${line}\n`);
      length += line.length + 1;
      soon();
    },
    progress(fraction: number, status?: string): void {
      progress = { fraction, status };
      soon();
    },
  };
}

/** Blocks while the host's thread is behind, like a process that writes to a full pipe. */
function sendLog(send: Send, text: string): void {
  for (const piece of cutText(text, MAX_LOG_LENGTH)) {
    for (let behind = Atomics.load(backlog, 0); behind > MAX_BACKLOG; behind = Atomics.load(backlog, 0))
      Atomics.wait(backlog, 0, behind);
    Atomics.add(backlog, 0, piece.length);
    send({ kind: "log", text: piece });
  }
}

/** Takes waiting messages at once, because a function that never awaits would not learn of its abort. */
function drain(): void {
  for (let got = receive(); got; got = receive()) take(got.message);
}

const receive = (): { message: ToThread } | undefined => port && receiveMessageOnPort(port);

/** Makes an object the data of the job; other values are ignored. */
function dataOf(result: unknown): string | undefined {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return undefined;
  const text = JSON.stringify(result) ?? "{}";
  if (text.length > MAX_DATA_LENGTH) throw new Error(`Result is too large: ${text.length} characters`);
  return text === "{}" ? undefined : text;
}
