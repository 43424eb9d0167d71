import type { TransferDeps } from "../running/deps.ts";

/** State that the parts of an export share. */
export interface ExportTools {
  readonly cradle: TransferDeps;
  /** Unix seconds of its beginning. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Lets others run once a slice of time is used up. */
  breath(): Promise<void>;
  /** Adds to the counts by name: "records", "files", "files_left_out". */
  count(name: string, by: number): void;
}
