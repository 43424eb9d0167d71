import type { TransferCaller } from "../../../kernel/plugins/transfer.ts";
import type { TransferDeps } from "../running/deps.ts";
import type { Tally } from "./tally.ts";
import type { Batch } from "./writing/batch.ts";
import type { ListBook } from "./writing/lists.ts";
import type { Sinks } from "./writing/sinks.ts";

/** State that the parts of an import share. */
export interface ImportTools {
  readonly cradle: TransferDeps;
  readonly caller: TransferCaller;
  readonly tally: Tally;
  readonly batch: Batch;
  readonly lists: ListBook;
  readonly sinks: Sinks;
  /** Ids of imported rows by table, for tables with a `settle` step that needs them. */
  readonly rows: Map<string, Set<string>>;
}

/** Place of a record in the file: its line, and its size in bytes. */
export interface Place {
  readonly line: number;
  readonly size: number;
}

/** The reason why a line, or an entry of it, is not imported. */
export class LineError extends Error {}

/** Runs a check of a domain and turns its errors into reasons. */
export function checked<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new LineError((error as Error).message);
  }
}
