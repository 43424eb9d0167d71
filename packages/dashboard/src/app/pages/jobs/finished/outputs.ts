import { base } from "../../../data/calls/boot.ts";
import { api } from "../../../data/calls/session.ts";
import { textOf } from "../../job/log/ansi.ts";

/** Bytes of a log or file that are searched; the rest is ignored. */
const MOST_BYTES = 20_000_000;
/** Maximum number of matching lines shown per log or file. */
export const SHOWN = 5;
/** Maximum number of characters shown per line, and how many of them come before the match. */
const [CUT, LEAD] = [400, 100];
/** Larger files are skipped, as are binary files. */
const MOST_FILE = 2_000_000;

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** The text before the first match, the match, and the text after it. */
  readonly parts: readonly [string, string, string];
}

/** The part of a line around its first match. */
function partsOf(text: string, { 0: match, index }: RegExpExecArray): Line["parts"] {
  const start = index + match.length > CUT ? Math.max(0, index - LEAD) : 0;
  const end = index + match.length;
  return [
    (start > 0 ? "…" : "") + text.slice(start, index),
    match.slice(0, CUT),
    text.slice(end, Math.max(end, start + CUT)),
  ];
}

/** Matching lines in one source: the first few, and how many there are. */
export interface Hits {
  readonly name: string | undefined;
  readonly path?: string;
  readonly lines: readonly Line[];
  readonly count: number;
}

interface StoredFile {
  readonly path: string;
  readonly filename: string;
  readonly size?: number | undefined;
}

/** A job whose log and output files are searched. */
export interface Output {
  readonly id: string;
  readonly files: readonly StoredFile[];
}

/** Counts matching lines in streamed text, and keeps the first of them. */
export function createLooker(needle: RegExp) {
  const lines: Line[] = [];
  let [number, count, open] = [0, 0, ""];
  const look = (line: string): void => {
    number += 1;
    const text = textOf(line.endsWith("\r") ? line.slice(0, -1) : line);
    needle.lastIndex = 0;
    const found = needle.exec(text);
    if (!found) return;
    count += 1;
    if (lines.length < SHOWN) lines.push({ number, parts: partsOf(text, found) });
  };
  return {
    take(text: string): void {
      const [first = "", ...more] = text.split("\n");
      open += first;
      for (const next of more) {
        look(open);
        open = next;
      }
    },
    end(): Pick<Hits, "lines" | "count"> {
      if (open !== "") look(open);
      open = "";
      return { lines, count };
    },
  };
}

async function lookThrough(body: Response["body"], needle: RegExp): Promise<Pick<Hits, "lines" | "count">> {
  const looker = createLooker(needle);
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  for (let read = 0; reader && read < MOST_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return looker.end();
    // A null byte means that the file is binary.
    if (value.includes(0)) break;
    read += value.byteLength;
    looker.take(decoder.decode(value, { stream: true }));
  }
  await reader?.cancel();
  return looker.end();
}

/** Searches the log of a finished job and its output files. */
export async function searchOutput(
  { id, files }: Output,
  needle: RegExp,
  signal: AbortSignal,
): Promise<readonly Hits[]> {
  const { status, body } = await api.getJobLog({ id }, { signal });
  const ofLog = status === 200 ? await lookThrough(body, needle) : { lines: [], count: 0 };
  const found: Hits[] = [{ name: undefined, ...ofLog }];
  for (const { path, filename, size = 0 } of files) {
    if (size > MOST_FILE) continue;
    const answer = await fetch(`${base}/${path}`, { signal });
    // A missing file does not prevent the search of the others.
    if (answer.ok) found.push({ name: filename, path, ...(await lookThrough(answer.body, needle)) });
  }
  return found.filter(({ count }) => count > 0);
}
