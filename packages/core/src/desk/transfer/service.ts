import type { TransferMaps } from "../../kernel/calls/registry.ts";
import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import type { InternalJob } from "../internal-jobs/model.ts";
import { type DeleteRequest, deleteData } from "./delete/delete-data.ts";
import { type ExportRequest, exportBody } from "./export/body.ts";
import { type ImportRequest, importFile } from "./import/import-file.ts";
import type { TransferToken } from "./model.ts";
import type { TransferDeps } from "./running/deps.ts";
import { type StandStill, standStill } from "./running/prepare.ts";
import { sweepTokens, takeToken } from "./running/tokens.ts";

/** Exports, imports and deletes the data of the whole installation (docs/contract/transfer.md). */
export interface TransferService {
  /** The names that an order can contain. */
  readonly maps: TransferMaps;
  /** The file while it is being written. An internal job is listed for as long as the file is read. */
  export(request: ExportRequest): AsyncIterable<Uint8Array>;
  /** Begins once the command is committed. Throws like `internalJobs.startAfter`. */
  import(unit: Unit, request: ImportRequest): { readonly id: string };
  delete(unit: Unit, request: DeleteRequest): { readonly id: string };
  /**
   * Switches the scheduler off, aborts all jobs unless `danger` spares them, and waits for them to end. Returns sentences for the
   * report.
   */
  standStill(how: StandStill, job: Pick<InternalJob, "signal">): Promise<readonly string[]>;
  /** Consumes a token; undefined if it is not valid. */
  redeem(token: string): Promise<TransferToken | undefined>;
  /** Removes expired tokens that were not used. `now` is Unix seconds. */
  sweep(now: number): Promise<void>;
}

export function createTransfer(cradle: TransferDeps): TransferService {
  const { registry } = cradle;
  return {
    maps: registry.transfer,
    export: (request) => exportBody(cradle, request),
    import: (unit, request) => importFile(cradle, unit, request),
    delete: (unit, request) => deleteData(cradle, unit, request),
    standStill: (how, job) => standStill(cradle, how, job),
    redeem: (token) => takeToken(cradle, token),
    sweep: (now) => sweepTokens(cradle, now),
  };
}
