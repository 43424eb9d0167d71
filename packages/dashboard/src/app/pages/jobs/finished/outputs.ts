import { base } from "../../../data/calls/boot.ts";
import { api } from "../../../data/calls/session.ts";
import { textOf } from "../../job/log/ansi.ts";

/** Of one log or file; what lies behind it is not looked at. */
const MOST_BYTES = 20_000_000;
/** Lines that are shown of one log or file. */
export const SHOWN = 5;
/** Characters of a line that are shown. */
const CUT = 400;
/** Larger files, and files that are no text, stay unread. */
const MOST_FILE = 2_000_000;

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** Lines of one source with a match: the first few, and their number. */
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

/** A job whose log and files are looked through. */
export interface Output {
  readonly id: string;
  readonly files: readonly StoredFile[];
}

/** Counts lines that hold the needle, piece by piece, and keeps the first of them. */
export function createLooker(needle: RegExp) {
  const lines: Line[] = [];
  let [number, count, open] = [0, 0, ""];
  const look = (line: string): void => {
    number += 1;
    const text = textOf(line.endsWith("\r") ? line.slice(0, -1) : line);
    needle.lastIndex = 0;
    if (!needle.test(text)) return;
    count += 1;
    if (lines.length < SHOWN) lines.push({ number, text: text.slice(0, CUT) });
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
    // A file with such a byte is no text.
    if (value.includes(0)) break;
    read += value.byteLength;
    looker.take(decoder.decode(value, { stream: true }));
  }
  await reader?.cancel();
  return looker.end();
}

/** Looks through the log of a finished job and its output files. */
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
    // One that is gone hides nothing of the others.
    if (answer.ok) found.push({ name: filename, path, ...(await lookThrough(answer.body, needle)) });
  }
  return found.filter(({ count }) => count > 0);
}
