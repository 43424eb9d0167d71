import type { Holding } from "../../../directory/buckets/model.ts";
import { dataForJob } from "../../../directory/buckets/rules/data.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import { isLargeData } from "../../../lib/json/json-size.ts";
import { wordIn } from "../../../lib/json/word-in.ts";
import { allowedFiles } from "../launch/rules/input-files.ts";
import type { ActiveJob } from "../model.ts";
import { amountText, type BucketParts, meantOutput, partsOf, withFiles } from "./rules/bucket.ts";

/** Most input files of one job, including the files of its launch. */
const MAX_FILES = 1000;

const jobOf = ({ data }: ActionRun): { readonly [K in "id" | "data" | "files" | "server"]?: unknown } =>
  membersOf(data["job"]);

const listOf = (files: readonly { readonly filename: string }[]): string =>
  files.map(({ filename }) => `- ${filename.replace(/[\\`*_[\]<>]/g, "\\$&")}`).join("\n");

/** Stores data and output files of the job in a bucket (docs/contract/buckets.md#store). */
export const storeAction: ActionType = {
  applies: ["job"],
  target: (action) => wordIn(action, "bucket_id"),
  run: (run, { buckets }) => store(run, buckets),
};

async function store(run: ActionRun, buckets: Cradle["buckets"]): Promise<ActionOutcome> {
  const job = jobOf(run);
  const parts = partsOf(run.action);
  const id = String(job.id);
  const data = parts.data && isObject(job.data) ? job.data : undefined;
  const files = meantOutput(job.files, id, parts);
  const server = typeof job.server === "string" ? job.server : undefined;
  const deposit = { bucket: wordIn(run.action, "bucket_id"), data, files, job: id, server };
  const { title } = await buckets.store(deposit, run.signal);
  const amount = amountText(data !== undefined, files.length) || "nothing: the job has none of it";
  return { code: 0, description: `Stored in bucket ${title}: ${amount}`, details: listOf(files) };
}

/** Adds data and files of a bucket to the job's input (docs/contract/buckets.md#fetch). */
export const fetchAction: ActionType = {
  applies: ["job"],
  target: (action) => wordIn(action, "bucket_id"),
  run: (run, { buckets, config, jobs }) => fetch(run, { buckets, config, jobs }),
};

type Deps = Pick<Cradle, "buckets" | "config" | "jobs">;

async function fetch(run: ActionRun, { buckets, config, jobs: { desk } }: Deps): Promise<ActionOutcome> {
  const parts = partsOf(run.action);
  const held = await buckets.read(wordIn(run.action, "bucket_id"));
  const meant = { ...held, files: parts.files ? held.files.filter(({ filename }) => parts.isMeant(filename)) : [] };
  const changed = await desk.change(String(jobOf(run).id), (_unit, record) => {
    const { notes, record: next } = withHolding(record, meant, parts);
    if (isLargeData(next.details.input, config.api.max_record_size))
      throw new DomainError("bucket", "conflict", "The input of the job is too large.");
    return desk.meta(next, notes);
  });
  if (!changed) return { code: "bucket", description: "The job is not active any more." };
  const amount = amountText(parts.data, meant.files.length) || "nothing: no file of it is meant";
  return { code: 0, description: `Fetched from bucket ${held.bucket.title}: ${amount}`, details: listOf(meant.files) };
}

interface Given {
  readonly record: ActiveJob;
  /** Lines for the meta log. */
  readonly notes: readonly string[];
}

/**
 * Adds the bucket's data and files to the job's input. As at the start of a job, notes name the files that exceed the event's
 * limit.
 */
function withHolding(record: ActiveJob, { bucket, data, files: coming }: Holding, parts: BucketParts): Given {
  const input = record.details.input ?? {};
  const given = withFiles(input["files"], coming, bucket.id);
  const { files, notes } = allowedFiles(given, record.job.limits ?? []);
  if (files.length > MAX_FILES)
    throw new DomainError("bucket", "conflict", `The job would have more than ${MAX_FILES} input files.`);
  const next = {
    ...input,
    ...(parts.data ? { data: { ...Object(input["data"]), ...dataForJob(data) } } : {}),
    ...(coming.length > 0 ? { files } : {}),
  };
  return { record: { ...record, details: { ...record.details, input: next } }, notes: coming.length > 0 ? notes : [] };
}
