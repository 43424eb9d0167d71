import { type ReadonlySignal, signal } from "@preact/signals";
import { SignalboxError } from "@signalbox/client";
import { api } from "../../data/session.ts";
import { append, emptyLog, type LogText } from "./log-lines.ts";

/** The log of a job: what there was when the page opened, and what has come since. */
export interface JobLog {
  readonly text: ReadonlySignal<LogText>;
  readonly isLoading: ReadonlySignal<boolean>;
  load(): Promise<void>;
  append(text: string): void;
  stop(): void;
}

const TAIL_BYTES = 1_048_576;

export function createJobLog(id: string): JobLog {
  const text = signal<LogText>(emptyLog);
  const isLoading = signal(true);
  let reading = new AbortController();

  /** A finished log comes in parts, so that the first ones are seen while the rest is on its way. */
  async function readWhole(response: Response, { signal: gone }: AbortController): Promise<void> {
    const reader = response.body
      ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .getReader();
    let read = emptyLog;
    while (reader && !gone.aborted) {
      const { done, value } = await reader.read();
      if (done) break;
      read = append(read, value);
      text.value = read;
    }
  }

  async function read(own: AbortController): Promise<void> {
    const { text: tail } = await api.tailLiveJobLog({ id, bytes: TAIL_BYTES }, { signal: own.signal });
    if (tail) {
      text.value = append(emptyLog, tail);
      return;
    }
    const response = await api.getJobLog({ id }, { signal: own.signal });
    if (response.status === 200) await readWhole(response, own);
  }

  return {
    text,
    isLoading,
    async load() {
      reading.abort();
      const own = new AbortController();
      reading = own;
      await read(own).catch((reason: unknown) => {
        // A log of a job that waits, or of one that is gone, is none.
        const isNone = reason instanceof SignalboxError && reason.code === "notfound";
        if (!own.signal.aborted && !isNone) console.error(reason);
      });
      if (reading === own) isLoading.value = false;
    },
    append: (more) => {
      text.value = append(text.peek(), more);
    },
    stop: () => reading.abort(),
  };
}
