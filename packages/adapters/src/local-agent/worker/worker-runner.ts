import type { HostFunctionCall, WorkerFunction } from "@signalbox/core/adapter";
import { messageOf } from "@signalbox/core/adapter";
import type { JobRun, JobTools } from "../job/job-run.ts";
import { createWorkerFiles, type WorkerFiles } from "./worker-files.ts";
import type { FromThread, ToThread } from "./worker-messages.ts";
import type { Thread, WorkerPool } from "./worker-pool.ts";

/** One call of a function that is exported by a module. */
interface WorkerCall {
  readonly run: JobRun;
  readonly call: Omit<HostFunctionCall, "inWorker">;
  readonly target: WorkerFunction;
}

/** Does the work of a job in a worker thread. Rejects with the function's error, or with one about its module or thread. */
export type ThreadRunner = (call: WorkerCall) => Promise<void>;

export function threadRunner({ clock, killTimeoutSec }: JobTools, pool: WorkerPool): ThreadRunner {
  let calls = 0;
  return async (given) => {
    const { run } = given;
    const thread = await pool.take(run.signal);
    if (!thread) return;
    calls += 1;
    const call = calls;
    let killing: Disposable | undefined;
    const abort = (): void => {
      thread.post({ kind: "abort", call, reason: messageOf(run.signal.reason) });
      // A function that computes without a pause never sees the message, so its thread is ended.
      killing = clock.after(killTimeoutSec * 1000, () => void thread.terminate());
    };
    run.usage = thread.usage;
    run.signal.addEventListener("abort", abort, { once: true });
    try {
      const ended = follow(thread, given, call);
      thread.post(startOf(given, call));
      if (run.signal.aborted) abort();
      await ended;
    } finally {
      run.usage = undefined;
      killing?.[Symbol.dispose]();
      run.signal.removeEventListener("abort", abort);
      thread.release();
    }
  };
}

function startOf({ call, target: { module, export: name, event, params, data } }: WorkerCall, id: number): ToThread {
  const { secrets, input, files, jobId } = call;
  const job = { id: jobId, event };
  return { kind: "call", call: id, module, export: name, params, data, job, secrets, input, inputFiles: files.input };
}

/** Settles when the function has finished or its thread has ended. */
function follow(thread: Thread, given: WorkerCall, id: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const files = createWorkerFiles(given.call.files);
  thread.attach({
    ended: reject,
    message(message) {
      // Asynchronous work of an earlier function in this thread may still send messages.
      if (message.call !== id) return;
      if (message.kind === "done") {
        if (message.data !== undefined) given.run.record.apply({ data: JSON.parse(message.data) });
        resolve();
      } else if (message.kind === "failed") reject(Object.assign(new Error(message.message), { code: message.code }));
      else tell(message, given, { thread, files });
    },
  });
  return promise.finally(() => files.close());
}

type Saying = Exclude<FromThread, { readonly kind: "done" | "failed" }>;

function tell(
  message: Saying,
  { run, call }: WorkerCall,
  { thread, files }: { readonly thread: Thread; readonly files: WorkerFiles },
): void {
  if (message.kind === "log") run.log(message.text);
  else if (message.kind === "progress") call.progress(message.fraction, message.status);
  else if (message.kind === "tag") call.tag(...message.ids);
  else {
    const { ask, call: id } = message;
    files.take(message.file, message.step).then(
      (value) => thread.post({ kind: "reply", call: id, ask, value }),
      (error: unknown) => thread.post({ kind: "refusal", call: id, ask, message: messageOf(error) }),
    );
  }
}
