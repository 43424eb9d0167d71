import { Worker } from "node:worker_threads";
import { type Clock, membersOf, publishedFile } from "@signalbox/core/adapter";
import { createSlots } from "./slots.ts";
import { type FromThread, MARK, type ThreadData, type ToThread } from "./worker-messages.ts";

/** A worker thread, lent to one call at a time. */
export interface Thread {
  post(message: ToThread): void;
  /** Sets the listener for messages and for the end of the thread. */
  attach(listener: ThreadListener): void;
  /** `cpu` is percent of one core since the last call, `mem` the bytes of its heap as last known. */
  usage(): { readonly cpu: number; readonly mem: number | undefined };
  /** Ends the thread at once, even while it computes. */
  terminate(): Promise<void>;
  /** Returns the thread to the pool; a new one replaces an ended thread when needed. */
  release(): void;
}

export interface ThreadListener {
  readonly message: (message: FromThread) => void;
  readonly ended: (error: Error) => void;
}

export interface WorkerPool {
  /**
   * Takes a thread that no other call uses; undefined when the signal aborts first or the pool is closed. Throws `Error` when no
   * thread can be started, such as when its module is missing in the host's bundle.
   */
  take(signal: AbortSignal): Promise<Thread | undefined>;
  /** Ends all threads. */
  close(): Promise<void>;
}

export interface WorkerPoolOptions {
  readonly clock: Clock;
  readonly maxWorkers: number;
  /** Megabytes of heap of one thread; absent = the default of Node.js. */
  readonly memoryMb: number | undefined;
}

/** Milliseconds that an idle thread is kept for the next job, because starting one takes some 20 ms. */
const IDLE_MS = 60_000;
// The module is one folder up in the sources, and beside the bundled module in the published package. It is looked up when the
// first thread starts.
const entry = (): URL =>
  publishedFile(import.meta.url, {
    beside: String(import.meta.url).endsWith(".ts") ? "../worker-thread.ts" : "./worker-thread.js",
    package: "@signalbox/adapters",
    inside: "lib/local-agent/worker-thread.js",
  });

interface Held extends Omit<Thread, "release"> {
  isOver: boolean;
  idle: Disposable | undefined;
  /** Whether the thread keeps the process alive. */
  hold(isNeeded: boolean): void;
}

/** A pool of at most `maxWorkers` threads; further calls wait in line. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const slots = createSlots(options.maxWorkers);
  const threads = createThreads(options);
  let isClosed = false;

  const lend = (held: Held, free: () => void): Thread => ({
    ...held,
    release() {
      held.attach(NOBODY);
      if (!held.isOver && !isClosed) threads.keep(held);
      free();
    },
  });
  return {
    async take(signal) {
      const free = await slots.take(signal);
      if (!free) return undefined;
      let thread: Thread | undefined;
      try {
        thread = isClosed ? undefined : lend(threads.take(), free);
      } finally {
        if (!thread) free();
      }
      return thread;
    },
    async close() {
      isClosed = true;
      await threads.end();
    },
  };
}

/** All threads: those at work, and idle ones, which are kept for a while. */
function createThreads(options: WorkerPoolOptions) {
  const all = new Set<Held>();
  const idle = new Set<Held>();
  const forget = (held: Held): void => {
    idle.delete(held);
    held.idle?.[Symbol.dispose]();
  };
  const start = (): Held => {
    const held = startThread(options, () => {
      all.delete(held);
      forget(held);
    });
    all.add(held);
    return held;
  };
  return {
    /** The idle thread that worked last, or a new one. */
    take(): Held {
      const held = [...idle].at(-1) ?? start();
      forget(held);
      held.hold(true);
      return held;
    },
    keep(held: Held): void {
      held.hold(false);
      idle.add(held);
      held.idle = options.clock.after(IDLE_MS, () => {
        // Forgotten first, so that no call gets a thread that is about to end.
        forget(held);
        void held.terminate();
      });
    },
    end: () => Promise.all(Array.from(all, (held) => held.terminate())),
  };
}

const isFromThread = (message: unknown): message is FromThread => membersOf(message)["from"] === MARK;

const NOBODY: ThreadListener = { message: () => undefined, ended: () => undefined };

function startThread({ memoryMb }: WorkerPoolOptions, gone: () => void): Held {
  const backlog = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(entry(), {
    workerData: { backlog: backlog.buffer } satisfies ThreadData,
    name: "signalbox-function",
    ...(memoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
  });
  let listener = NOBODY;
  const end = (error: Error): void => {
    if (held.isOver) return;
    held.isOver = true;
    gone();
    listener.ended(error);
  };
  worker.on("message", (message: unknown) => {
    if (!isFromThread(message)) return;
    listener.message(message);
    // The message was taken, so the thread may send as much again.
    if (message.kind === "log") Atomics.sub(backlog, 0, message.text.length);
    if (message.kind === "log") Atomics.notify(backlog, 0);
  });
  worker.on("messageerror", (error) => listener.ended(error));
  worker.on("error", (error) => end(error instanceof Error ? error : new Error(String(error))));
  worker.on("exit", (code) => end(new Error(`The thread of the function ended before it, with code ${code}`)));
  const held: Held = {
    isOver: false,
    idle: undefined,
    hold: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
    post: (message) => worker.postMessage(message),
    attach(next) {
      listener = next;
    },
    usage: createUsage(worker),
    async terminate() {
      await worker.terminate();
    },
  };
  return held;
}

function createUsage(worker: Worker): Thread["usage"] {
  let before = worker.performance.eventLoopUtilization();
  let mem: number | undefined;
  return () => {
    const now = worker.performance.eventLoopUtilization();
    const { utilization } = worker.performance.eventLoopUtilization(now, before);
    before = now;
    // The answer is for the next sample, because a thread that computes answers no call.
    worker.getHeapStatistics().then(
      ({ used_heap_size: heap, external_memory: outside }) => {
        mem = heap + outside;
      },
      // The thread has ended.
      () => undefined,
    );
    return { cpu: Math.round(utilization * 10_000) / 100, mem };
  };
}
