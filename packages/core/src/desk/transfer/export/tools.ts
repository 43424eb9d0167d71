import type { TransferDeps } from "../running/deps.ts";

/** State that the parts of an export share. */
export interface ExportTools {
  readonly cradle: TransferDeps;
  /** Unix seconds of its beginning. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Yields to the event loop once a time slice is used up. */
  breath(): Promise<void>;
  /** Increments a counter by its name: "records", "files", "files_left_out". */
  count(name: string, by: number): void;
}
