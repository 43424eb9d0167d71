import { Worker } from "node:worker_threads";
import { type Clock, publishedFile } from "@signalbox/core/adapter";
import { createSlots } from "./slots.ts";
import type { FromThread, ThreadData, ToThread } from "./worker-messages.ts";

/** One thread, lent to one call at a time. */
export interface Thread {
  post(message: ToThread): void;
  /** Is told of messages, and of the end of the thread. */
  attach(listener: ThreadListener): void;
  /** Percent of one core since the last call, and bytes of its heap as last known. */
  usage(): { readonly cpu: number; readonly mem: number | undefined };
  /** Ends it at once, also in the middle of work. */
  terminate(): Promise<void>;
  /** Gives it back; an ended one is replaced when it is needed. */
  release(): void;
}

export interface ThreadListener {
  readonly message: (message: FromThread) => void;
  readonly ended: (error: Error) => void;
}

export interface WorkerPool {
  /**
   * A thread that no other call uses; undefined when the signal aborts first or the pool was closed. Throws `Error` when none
   * can be started: its module may be missing in the bundle of the host.
   */
  take(signal: AbortSignal): Promise<Thread | undefined>;
  /** Ends all threads. */
  close(): Promise<void>;
}

export interface WorkerPoolOptions {
  readonly clock: Clock;
  readonly maxWorkers: number;
  /** Megabytes of heap of one thread; absent = as Node has it. */
  readonly memoryMb: number | undefined;
}

/** Starting a thread takes some 20 ms, so one that was used just now is kept for the next job. */
const IDLE_MS = 60_000;
// Above this module in the sources, beside the joined module in the published package; looked for when the first thread
// begins.
const entry = (): URL =>
  publishedFile(import.meta.url, {
    beside: String(import.meta.url).endsWith(".ts") ? "../worker-thread.ts" : "./worker-thread.js",
    ...{ package: "@signalbox/adapters", inside: "lib/local-agent/worker-thread.js" },
  });

interface Held extends Omit<Thread, "release"> {
  isOver: boolean;
  idle: Disposable | undefined;
  /** Whether the thread keeps the process alive. */
  hold(isNeeded: boolean): void;
}

/** At most `maxWorkers` threads; later calls wait in line. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const slots = createSlots(options.maxWorkers);
  const all = new Set<Held>();
  const idle = new Set<Held>();
  let isClosed = false;

  const lend = (held: Held, free: () => void): Thread => {
    forget(held);
    held.hold(true);
    return {
      ...held,
      release() {
        held.attach(NOBODY);
        if (!held.isOver && !isClosed) keep(held);
        free();
      },
    };
  };
  const forget = (held: Held): void => {
    idle.delete(held);
    held.idle?.[Symbol.dispose]();
  };
  const keep = (held: Held): void => {
    held.hold(false);
    idle.add(held);
    held.idle = options.clock.after(IDLE_MS, () => {
      // A thread that is about to end is given to no call.
      forget(held);
      void held.terminate();
    });
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
    async take(signal) {
      const free = await slots.take(signal);
      if (!free) return undefined;
      let thread: Thread | undefined;
      try {
        thread = isClosed ? undefined : lend([...idle].at(-1) ?? start(), free);
      } finally {
        if (!thread) free();
      }
      return thread;
    },
    async close() {
      isClosed = true;
      await Promise.all(Array.from(all, (held) => held.terminate()));
    },
  };
}

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
  worker.on("message", (message: FromThread) => {
    listener.message(message);
    // Taken in, so as much may be said again.
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
    // The answer is for the next sample: a thread in the middle of work answers no call.
    worker.getHeapStatistics().then(
      ({ used_heap_size: heap, external_memory: outside }) => {
        mem = heap + outside;
      },
      // The thread has ended; no call asks again.
      () => undefined,
    );
    return { cpu: Math.round(utilization * 10_000) / 100, mem };
  };
}
