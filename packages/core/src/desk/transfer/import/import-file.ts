import { userRecords } from "../../../directory/users/records.ts";
import { userKey } from "../../../directory/users/rules/account.ts";
import type { TransferCaller } from "../../../kernel/plugins/transfer.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { InternalJob } from "../../internal-jobs/model.ts";
import { IMPORT_TITLE, type ImportFormat } from "../model.ts";
import { reportOf } from "../rules/report.ts";
import type { TransferDeps } from "../running/deps.ts";
import { standStill } from "../running/prepare.ts";
import { openContent } from "./reading/content.ts";
import { readFile } from "./reading/read-file.ts";
import { settleImport } from "./settle.ts";
import { createTally } from "./tally.ts";
import type { ImportTools } from "./tools.ts";
import { createBatch } from "./writing/batch.ts";
import { createListBook } from "./writing/lists.ts";
import { createSinks } from "./writing/sinks.ts";

export interface ImportRequest {
  /** Key of the file in the store, which is removed when the import ends. */
  readonly key: string;
  readonly filename: string;
  readonly format: ImportFormat;
  /** True = running jobs are not aborted. */
  readonly danger: boolean;
  readonly caller: TransferCaller;
}

/** Starts once the command is committed and answered. Only one import, deletion or key rotation runs at a time. */
export function importFile(cradle: TransferDeps, unit: Unit, request: ImportRequest): { readonly id: string } {
  const { filename, format, danger } = request;
  const { id: username } = request.caller;
  const email = cradle.definitions.get(userRecords, userKey(username))?.email;
  return cradle.internalJobs.startAfter(
    unit,
    {
      title: IMPORT_TITLE,
      type: "maint",
      username,
      exclusive: true,
      params: { filename, format, danger },
      email,
      cleanUp: async () => void (await cradle.blobs.delete(request.key)),
    },
    (job) => run(cradle, request, job),
  );
}

async function run(cradle: TransferDeps, request: ImportRequest, job: InternalJob): Promise<void> {
  const notes = await standStill(cradle, { ...request, reason: "Aborted by a data import" }, job);
  const tools = createTools(cradle, request);
  const { tally } = tools;
  const content = await openContent(cradle.blobs, request.key);
  if (!content) throw new Error("The file of an import vanished before it was read");
  const breath = createBreath(cradle.clock, job.signal);
  const read = await readFile(tools, {
    content,
    format: request.format,
    signal: job.signal,
    async pace() {
      job.progress(content.share() * 0.95);
      tellCounts(job, tally);
      await breath();
    },
  });
  tellCounts(job, tally);
  const kept = read.failure === undefined ? await settleImport(tools, read.broken === undefined) : [];
  cradle.live.reconnect();
  const { line, taken, skipped, faults, faultCount } = tally;
  const isNothing = taken.size + skipped.size + tools.lists.states.size + faultCount === 0;
  const found = isNothing && read.broken === undefined ? ["**No line of the file is data**: it is no backup."] : [];
  const outcome = { line, taken, skipped, faults, faultCount, broken: read.broken };
  const report = { filename: request.filename, format: read.format, ...outcome };
  job.report(reportOf({ ...report, notes: [...found, ...kept, ...notes] }));
  job.progress(1);
  if (read.failure !== undefined) throw read.failure;
}

function tellCounts(job: InternalJob, { taken, faultCount }: ImportTools["tally"]): void {
  const records = [...taken.values()].reduce((sum, count) => sum + count, 0);
  job.stat("records", records);
  job.stat("errors", faultCount);
}

function createTools(cradle: TransferDeps, { caller }: ImportRequest): ImportTools {
  const tally = createTally();
  return {
    cradle,
    caller,
    tally,
    sinks: createSinks(),
    rows: new Map(),
    batch: createBatch(cradle, tally),
    lists: createListBook(cradle.registry.transfer),
  };
}
