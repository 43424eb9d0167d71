import type { TransferDeps } from "../running/deps.ts";

/** State shared by the parts of an export. */
export interface ExportTools {
  readonly cradle: TransferDeps;
  /** Unix seconds of the start. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Yields to the event loop once a time slice is used up. */
  breath(): Promise<void>;
  /** Increments a counter by its name: "records", "files", "files_left_out". */
  count(name: string, by: number): void;
}
