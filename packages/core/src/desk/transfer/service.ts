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

/** Data of the whole installation as a file: out, in, and away (docs/contract/transfer.md). */
export interface TransferService {
  /** Names that an order can choose from. */
  readonly maps: TransferMaps;
  /** The file as it is written; an internal job is listed as long as the file is read. */
  export(request: ExportRequest): AsyncIterable<Uint8Array>;
  /** Begins once the command is committed. Throws like `internalJobs.startAfter`. */
  import(unit: Unit, request: ImportRequest): { readonly id: string };
  delete(unit: Unit, request: DeleteRequest): { readonly id: string };
  /**
   * Switches the scheduler off and ends all jobs, unless `danger` spares them; waits for their ends. Answers sentences for
   * the report.
   */
  standStill(how: StandStill, job: Pick<InternalJob, "signal">): Promise<readonly string[]>;
  /** Takes a token away; undefined when there is none that holds. */
  redeem(token: string): Promise<TransferToken | undefined>;
  /** Forgets tokens that were not used. `now` is Unix seconds. */
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
