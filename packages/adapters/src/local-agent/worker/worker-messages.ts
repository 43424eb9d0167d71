/** Messages between the host's thread and a worker thread; each names its call. */

/** Starts the thread's only call. */
export interface CallMessage {
  readonly kind: "call";
  readonly call: number;
  readonly module: string;
  readonly export: string;
  readonly params: unknown;
  readonly data: unknown;
  readonly job: { readonly id: string; readonly event: string };
  readonly secrets: Readonly<Record<string, string>>;
  readonly input: unknown;
  readonly inputFiles: readonly { readonly filename: string; readonly sizeBytes: number }[];
}

export type ToThread =
  | CallMessage
  | { readonly kind: "abort"; readonly call: number; readonly reason: string }
  /** Answers the step `ask`. */
  | { readonly kind: "reply"; readonly call: number; readonly ask: number; readonly value?: Uint8Array | undefined }
  | { readonly kind: "refusal"; readonly call: number; readonly ask: number; readonly message: string };

/** A step with a file: for input `open`, `next` …, `close`; for output `create`, `push` …, `end` or `fail`. */
export type FileStep =
  | { readonly step: "open" | "create"; readonly filename: string }
  | { readonly step: "next" | "close" | "end" }
  | { readonly step: "push"; readonly piece: Uint8Array }
  | { readonly step: "fail"; readonly message: string };

/** Marks our messages to the host's thread: the function, or a library that it calls, may post others on the same port. */
export const MARK = "signalbox";

/** Most characters of JSON that a function may return: the host's thread reads 4 MB in about 30 ms, and 16 MB in 150. */
export const MAX_DATA_LENGTH = 4 * 1_048_576;

export type FromThread = { readonly from: typeof MARK; readonly call: number } & (
  | { readonly kind: "log"; readonly text: string }
  | { readonly kind: "progress"; readonly fraction: number; readonly status: string | undefined }
  | { readonly kind: "tag"; readonly ids: readonly string[] }
  | { readonly kind: "ask"; readonly ask: number; readonly file: number; readonly step: FileStep }
  /** `data` is the JSON text of an object. */
  | { readonly kind: "done"; readonly data: string | undefined }
  | { readonly kind: "failed"; readonly code: string | number; readonly message: string }
);

/** Data that a thread starts with. */
export interface ThreadData {
  /** One number: characters of log that the host's thread has not taken yet. */
  readonly backlog: SharedArrayBuffer;
}
