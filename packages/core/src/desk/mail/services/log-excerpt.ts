import type { Cradle } from "../../../kernel/container.ts";
import { EXCERPT_BYTES, excerptText, joinExcerpt } from "../../../lib/text/excerpt.ts";

type Deps = Pick<Cradle, "jobs" | "snapshot">;

/** The output of a job for mails: all of it, or its beginning and end. */
export function createLogExcerpt({ jobs, snapshot }: Deps) {
  return async (job: Readonly<Record<string, unknown>>): Promise<string> => {
    const { id, output, state } = job;
    if (typeof output === "string") return excerptText(endsOf(Buffer.from(output)));
    if (typeof id !== "string" || state === "starting") return excerptText("");
    const first = await firstBytes(jobs.logs.partial(id), EXCERPT_BYTES * 2 + 1);
    if (first.length <= EXCERPT_BYTES * 2) return excerptText(first.toString("utf8"));
    const { text: last } = await snapshot((tx) => jobs.logs.tail(tx, id, EXCERPT_BYTES));
    return excerptText(joinExcerpt(first.subarray(0, EXCERPT_BYTES).toString("utf8"), last));
  };
}

function endsOf(output: Buffer): string {
  if (output.length <= EXCERPT_BYTES * 2) return output.toString("utf8");
  const [first, last] = [output.subarray(0, EXCERPT_BYTES), output.subarray(-EXCERPT_BYTES)];
  return joinExcerpt(first.toString("utf8"), last.toString("utf8"));
}

async function firstBytes(content: AsyncIterable<Uint8Array>, count: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content) {
    pieces.push(piece);
    size += piece.length;
    if (size >= count) break;
  }
  return Buffer.concat(pieces).subarray(0, count);
}
