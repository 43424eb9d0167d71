import type { Cradle } from "../../../kernel/container.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import type { JobMask } from "../access/job-secrets.ts";
import type { JobEngine } from "../lifecycle/engine.ts";
import type { ActiveJob } from "../model.ts";
import { isStoredPath } from "../rules/stored-path.ts";
import { MAX_LOG_BYTES } from "./log-writers.ts";
import { afterBytes, firstBytes } from "./rules/log-text.ts";

/** Separates the output received over the connection from the satellite's own log of the time without one. */
export const GAP_LINE = "[The connection to the satellite was lost; its own log of that time follows]\n";

/** Bytes that are decoded, masked and written at once. */
const PIECE = 256 * 1024;

/**
 * The file in which a satellite stores the output of a job while it has no connection, if the final update includes it:
 * `job-<id>.log` among the output files (docs/contract/jobs.md#the-final-update).
 */
export function gapFile(id: string, update: unknown): string | undefined {
  const files = isObject(update) && update["state"] === "complete" ? update["files"] : undefined;
  if (!Array.isArray(files)) return undefined;
  const paths = files.filter(isObject).map(({ path }) => path);
  return paths.filter((path) => isStoredPath(path)).find((path) => path.endsWith(`/job-${id}.log`));
}

interface Gap {
  readonly id: string;
  /** Key of the satellite's file. */
  readonly path: string;
  readonly mask: JobMask;
  /** Appends output; `known` bytes came before it. */
  readonly append: (text: string, known: number) => void;
}

type Deps = Pick<Cradle, "files" | "snapshot">;

/**
 * Appends the satellite's own log to the log of its job. The position of its beginning is stored first, so that output written by
 * an earlier attempt is not written again, even if that process died. Rejects when some of it could not be stored.
 */
export async function mergeGap(deps: Deps, { desk, logs }: JobEngine, gap: Gap): Promise<void> {
  const { id, path, mask, append } = gap;
  await logs.flush([id]);
  const stored = await deps.snapshot((tx) => logs.end(tx, id));
  const place = await placeOf(desk, id, stored);
  const file = place && (await deps.files.get(path));
  if (!file) return;
  let skip = stored.sizeBytes - place.from;
  let known = stored.sizeBytes;
  for await (const text of textsOf(file.content, { before: place.line, mask })) {
    const bytes = Buffer.byteLength(text);
    if (bytes > skip) {
      append(afterBytes(text, skip), known);
      await logs.flush([id]);
      if (logs.waiting().includes(id)) throw new Error("The satellite's own log of a job could not be stored");
      known += bytes - Math.max(0, skip);
    }
    skip = Math.max(0, skip - bytes);
    if (known > MAX_LOG_BYTES) return;
  }
}

type LogEnd = Awaited<ReturnType<JobEngine["logs"]["end"]>>;

/** The position in the job's log at which the satellite's own log begins; undefined when the job has ended. */
async function placeOf(
  desk: JobEngine["desk"],
  id: string,
  { sizeBytes, endsLine }: LogEnd,
): Promise<ActiveJob["gap"]> {
  const known = (await desk.read(id))?.gap;
  if (known) return known;
  const gap = { from: sizeBytes, line: endsLine ? GAP_LINE : `\n${GAP_LINE}` };
  return (await desk.change(id, (_unit, record) => ({ ...record, gap })))?.gap;
}

/** The text in pieces, which never split a character. */
async function* textsOf(
  content: AsyncIterable<Uint8Array>,
  { before, mask }: { readonly before: string; readonly mask: JobMask },
): AsyncGenerator<string> {
  yield before;
  const decoder = new TextDecoder();
  const shown = (text: string): string => (mask === "none" ? text : mask.log.write(text));
  for await (const piece of content)
    for (let start = 0; start < piece.length; start += PIECE)
      yield shown(decoder.decode(piece.subarray(start, start + PIECE), { stream: true }));
  yield shown(decoder.decode()) + (mask === "none" ? "" : mask.log.end());
}

/** The separator and the beginning of the satellite's log, for a record that contains its log: at most `limit` bytes. */
export async function gapText(
  { files }: Pick<Cradle, "files">,
  { path, mask, limit }: { readonly path: string; readonly mask: JobMask; readonly limit: number },
): Promise<string> {
  const file = await files.get(path);
  let text = "";
  if (file)
    for await (const piece of textsOf(file.content, { before: GAP_LINE, mask })) {
      text += piece;
      if (Buffer.byteLength(text) > limit) return firstBytes(text, limit);
    }
  return text;
}
