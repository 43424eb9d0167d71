import * as z from "zod";
import type { StreamContext } from "../../../../kernel/calls/context.ts";
import {
  credentials,
  defineQuery,
  defineStream,
  type StreamResult,
  token,
} from "../../../../kernel/calls/operation.ts";
import { InputError } from "../../../../kernel/errors/errors.ts";
import { once } from "../../../../lib/files/once.ts";
import { lenient, WordId } from "../../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../../wire/schemas/objects.ts";
import { gzip } from "../../logs/job-logs.ts";
import { jobNotFound, requireShown } from "../job-access.ts";

const TEXT = "text/plain; charset=utf-8";
const PRIVATE = { "Cache-Control": "private" };

export const getJobLog = defineStream({
  name: "get_job_log",
  summary: "The whole output of a finished job as gzip-compressed text; 204 when there is none.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: WordId })),
  async handler({ id }, { actor, services }): Promise<StreamResult> {
    const { desk, logs } = services.jobs;
    const job = await desk.final(id);
    if (!job) throw jobNotFound(id);
    requireShown(actor, job);
    const log = await logs.stored(job);
    if (!log) return { status: 204, headers: PRIVATE };
    const body = log.compressed ? log.content : gzip(log.content);
    return { contentType: TEXT, headers: { ...PRIVATE, "Content-Encoding": "gzip" }, body };
  },
});

const TokenInput = looseObject(() => ({ id: WordId, t: z.string().regex(/^[\w-]+$/) }));

/** People read the errors of links, so they are plain text. */
const plain = (status: number, text: string): StreamResult => ({ status, contentType: TEXT, body: once(`${text}\n`) });

/** The log of a finished or running job, for callers with its download token. */
async function byToken(
  { id, t }: z.infer<typeof TokenInput>,
  { services }: StreamContext,
  disposition: (name: string) => Record<string, string>,
): Promise<StreamResult> {
  const { desk, logs, tokens } = services.jobs;
  if (!tokens.opensLog(id, t)) return plain(403, "(Authentication failed.)");
  const active = await desk.read(id);
  if (active) {
    const headers = { ...PRIVATE, ...disposition(`xyOps-Partial-Job-Log-${id}.txt`) };
    return { contentType: TEXT, headers, body: logs.partial(id) };
  }
  const job = await desk.final(id);
  if (!job) return plain(404, "(Job not found.)");
  const log = await logs.stored(job);
  if (!log) return plain(404, "(Job has no log.)");
  const encoding = log.compressed ? { "Content-Encoding": "gzip" } : {};
  const headers = { ...PRIVATE, ...encoding, ...disposition(`xyOps-Job-Log-${id}.txt`) };
  return { contentType: TEXT, headers, body: log.content };
}

export const downloadJobLog = defineStream({
  name: "download_job_log",
  summary: "Download the output of a job with the token from `get_job`; of a running job, the output so far.",
  access: token,
  input: TokenInput,
  handler: (input, context) =>
    byToken(input, context, (name) => ({ "Content-Disposition": `attachment; filename=${name}` })),
});

export const viewJobLog = defineStream({
  name: "view_job_log",
  summary: "Like `download_job_log`, to be shown by a browser.",
  access: token,
  input: TokenInput,
  handler: (input, context) => byToken(input, context, () => ({})),
});

const MAX_TAIL = 1_048_576;

/** A whole number, or text that consists of digits. */
const ByteCount = lenient((value) => {
  const bytes = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (Number.isInteger(bytes)) return bytes;
  throw new InputError("Malformed parameter value: bytes");
}, z.number()).meta({ type: "integer" });

export const tailLiveJobLog = defineQuery({
  name: "tail_live_job_log",
  summary: "The end of a running job's output, beginning at a line; empty when the job is not active.",
  access: credentials,
  input: looseObject(() => ({ id: WordId, bytes: ByteCount.default(32_768) })),
  output: object(() => ({
    text: z.string(),
    end: z.number().optional().describe("Bytes of the log at the end of this text; absent when the job is not active."),
  })),
  async handler({ id, bytes }, { actor, services, tx }) {
    if (bytes < 1 || bytes > MAX_TAIL) throw new InputError(`Requested byte count out of range (1 - ${MAX_TAIL})`);
    const { desk, logs } = services.jobs;
    const active = await desk.read(id, tx);
    if (!active) return { text: "" };
    requireShown(actor, active.job);
    const { text, sizeBytes } = await logs.tail(tx, id, bytes);
    return { text, end: sizeBytes };
  },
});
