import type { Action, Limit } from "../../../wire/entries/actions-and-limits.ts";
import type { MetaRow, ProcessSample } from "../../../work/jobs/model.ts";

/** What the page of a job shows, except for its output. */
export interface PageFacts {
  readonly rows: readonly MetaRow[];
  readonly actions: readonly Action[];
  readonly limits: readonly Limit[];
  /** The latest sample of a minute. */
  readonly minute: ProcessSample | undefined;
  readonly isUploaded: boolean;
}

/** What the subscribers of a job's page were sent so far. */
export interface Told {
  /** Bytes of output. */
  readonly bytes: number;
  /** Id of the last milestone. */
  readonly row: string | undefined;
  /** Keys of results of actions and limits, each sent once. */
  readonly results: ReadonlySet<string>;
  /** Unix seconds of the last sample. */
  readonly minute: number;
  readonly isUploaded: boolean;
}

/** New output. */
export interface OutputNews {
  /** Total bytes of output. */
  readonly sizeBytes: number;
  /** The end of the new output, as much as a message may contain. */
  readonly text: string;
}

/** One `page_cmd` with its data (docs/contract/jobs.md#messages-to-pages). */
export interface PageMessage {
  readonly cmd: string;
  readonly data: object;
  /** Bytes of output in the message; a slow reader gets only the number of bytes. */
  readonly outputBytes?: number;
}

/** Maximum bytes of output, and maximum characters of milestones, in one message; the last ones are sent. */
export const MAX_TEXT = 65_536;
const MAX_ROWS = 100;

export const toldOf = (facts: PageFacts, bytes: number): Told => ({
  bytes,
  row: facts.rows.at(-1)?.id,
  results: new Set([...resultsIn("action", facts.actions), ...resultsIn("limit", facts.limits)].map(([key]) => key)),
  minute: facts.minute?.epoch ?? 0,
  isUploaded: facts.isUploaded,
});

/** The news of a job, in sending order. */
export function newsOf(told: Told, facts: PageFacts, output: OutputNews | undefined): readonly PageMessage[] {
  const { minute, limits } = facts;
  const fresh = <T>(kind: string, list: readonly (T & object)[]): T[] =>
    resultsIn(kind, list).flatMap(([key, entry]) => (told.results.has(key) ? [] : [entry]));
  return [
    ...(output ? outputMessages(told.bytes, output) : []),
    ...rowsAfter(told.row, facts.rows).map((row) => ({ cmd: "meta_row", data: row })),
    ...(minute && minute.epoch > told.minute ? [{ cmd: "minute_append", data: minute }] : []),
    ...fresh("action", facts.actions).map((action) => ({ cmd: "action_append", data: { action } })),
    ...fresh("limit", limits).map(({ msg }) => ({ cmd: "limit_triggered", data: { msg, limits } })),
    ...(facts.isUploaded && !told.isUploaded ? [{ cmd: "log_uploaded", data: {} }] : []),
  ];
}

/** The message that replaces output which was not sent; the log has that output. */
export const leftOutMessage = (bytes: number): PageMessage => ({
  cmd: "log_append",
  data: { text: `\n[${bytes} bytes of output are not shown here]\n` },
});

function outputMessages(told: number, { sizeBytes, text }: OutputNews): PageMessage[] {
  const outputBytes = Buffer.byteLength(text);
  const leftOut = sizeBytes - told - outputBytes;
  return [
    ...(leftOut > 0 ? [leftOutMessage(leftOut)] : []),
    ...(text === "" ? [] : [{ cmd: "log_append", data: { text, end: sizeBytes }, outputBytes }]),
  ];
}

/** The last new milestones, after one that counts those left out. */
function rowsAfter(told: string | undefined, rows: readonly MetaRow[]): readonly MetaRow[] {
  // If the last milestone that was sent is no longer in the list, all milestones in the list are new.
  const fresh = rows.slice(rows.findLastIndex(({ id }) => id === told) + 1);
  let room = MAX_TEXT;
  const last = fresh.findLastIndex(({ msg }, index) => {
    room -= msg.length;
    return room < 0 || index < fresh.length - MAX_ROWS;
  });
  const before = fresh[last];
  if (!before) return fresh;
  return [{ ...before, msg: `[${last + 1} lines are not shown here]` }, ...fresh.slice(last + 1)];
}

/** Entries with a result, each with a key for that result. */
const resultsIn = <T extends object>(kind: string, list: readonly T[]): [string, T][] =>
  list.flatMap((entry, index) => {
    const { date } = entry as { date?: unknown };
    return date === undefined ? [] : [[`${kind} ${index} ${String(date)}`, entry]];
  });
