import { newStamps } from "../../../../wire/fields/stamps.ts";
import type { ImportFormat } from "../../model.ts";
import { isPortable, MAX_PORTABLE, readPortableFile } from "../../rules/definitions.ts";
import { cronicleLine } from "../../rules/format/cronicle.ts";
import { END_MARK, PROMISE, parseLine } from "../../rules/format/lines.ts";
import type { ImportTools } from "../tools.ts";
import { applyParsed, takeEntries } from "../writing/apply.ts";
import type { Content } from "./content.ts";
import { EndlessLine, type RawLine, splitLines } from "./split.ts";

export interface FileRead {
  /** Name of the format, for people. */
  readonly format: string;
  /** The reason why reading ended early, as a sentence; undefined = the file was read to its end. */
  readonly broken?: string | undefined;
  /** The engine's own failure that made the import fail. */
  readonly failure?: unknown;
}

export interface FileReading {
  readonly content: Content;
  readonly format: ImportFormat;
  readonly signal: AbortSignal;
  /** Called after each piece of the file. */
  pace(): Promise<void>;
}

/** Most bytes of one line; a file of the largest exportable size takes 6 MB. */
const MAX_LINE = 16_777_216;
/** Most bytes of comments, blank lines and broken lines together. A file that contains more of them is not a backup. */
const MAX_WASTE = 1_073_741_824;
/** What each such line counts at least: a short line costs mostly a fixed time, whatever its length. */
const LEAST_WASTE = 1024;
const HEAD = 65_536;
const HEADER_LINES = 10;
const NO_DATA = "it holds more than a gigabyte, or a million lines, that are no data.";

const PORTABLE = "portable definitions (XYPDF)";
const NAMES: Readonly<Record<ImportFormat, string>> = { xyops: "XYBK backup", cronicle: "Cronicle backup" };

/** Imports a file piece by piece. Faults in parts of it do not end the reading. */
export async function readFile(tools: ImportTools, reading: FileReading): Promise<FileRead> {
  const format = NAMES[reading.format];
  try {
    const pieces = peekable(reading.content.bytes);
    if (reading.format === "xyops" && isPortable(await pieces.head(HEAD)))
      return { format: PORTABLE, broken: await takePortable(tools, await pieces.head(MAX_PORTABLE + 1)) };
    const seen = await takeLines(tools, reading, pieces.all());
    return { format, broken: endOf(reading.content, seen) };
  } catch (error) {
    if (error instanceof EndlessLine) return { format, broken: NO_DATA };
    if (error instanceof Unreadable) return { format, broken: error.message };
    await tools.batch.flush().catch(() => undefined);
    if (isDamage(error)) return { format, broken: "the packed file is damaged." };
    return { format, broken: "the import was stopped by an error or by the end of the engine.", failure: error };
  }
}

/** The reason why the file cannot be read any further. */
class Unreadable extends Error {}

/** Error codes of a compressed file that cannot be decompressed. */
const isDamage = (error: unknown): boolean =>
  ["Z_DATA_ERROR", "Z_BUF_ERROR"].includes(String((error as { code?: unknown } | null)?.code));

/** Imports a file of portable definitions. Returns the reason why it cannot be read, as a sentence. */
async function takePortable(tools: ImportTools, text: string): Promise<string | undefined> {
  let file: ReturnType<typeof readPortableFile>;
  try {
    file = readPortableFile(text);
  } catch (error) {
    return `${(error as Error).message}.`;
  }
  const { clock, registry } = tools.cradle;
  const lists = registry.transfer.lists;
  // Files written by people do not say who made a definition and when.
  const stamps = newStamps(tools.caller.id, Math.floor(clock.now()));
  for (const [index, { type, data }] of file.items.entries()) {
    const name = [...lists].find(([, { definition }]) => definition === type)?.[0];
    const at = { line: index + 1, size: JSON.stringify(data).length };
    if (name === undefined) tools.tally.skip(`definitions of type ${type}`);
    else await takeEntries(tools, name, [{ ...stamps, ...data }], at);
  }
  await tools.batch.flush();
  tools.tally.line = file.items.length;
  return undefined;
}

/** The result of reading all lines of a file. */
interface Seen {
  /** The head of the file announced an end mark. */
  isOurs: boolean;
  isEnded: boolean;
  lastBroken: boolean;
}

async function takeLines(tools: ImportTools, reading: FileReading, bytes: AsyncIterable<Uint8Array>): Promise<Seen> {
  const seen: Seen = { isOurs: false, isEnded: false, lastBroken: false };
  let waste = 0;
  for await (const lines of splitLines(bytes, { most: MAX_LINE, hopeless: MAX_WASTE })) {
    for (const line of lines) {
      reading.signal.throwIfAborted();
      waste += await takeLine(tools, reading, { line, seen });
      if (waste > MAX_WASTE) throw new Unreadable(NO_DATA);
    }
    await reading.pace();
  }
  await tools.batch.flush();
  tools.tally.line = tools.tally.read;
  return seen;
}

/** Returns the number of bytes that contained no data. */
async function takeLine(
  tools: ImportTools,
  { format }: FileReading,
  { line, seen }: { readonly line: RawLine; readonly seen: Seen },
): Promise<number> {
  const { number, text, ended } = line;
  if (text === undefined) {
    tools.tally.fault(number, "The line is too long");
    tools.tally.read = number;
    return line.bytes;
  }
  if (text.startsWith("#")) noteComment(text, number, seen);
  const parsed = format === "cronicle" ? cronicleLine(text) : parseLine(text);
  seen.lastBroken = !ended && parsed.kind === "fault";
  // The partial last line of a truncated file is not reported as a separate fault.
  if (!seen.lastBroken) await applyParsed(tools, parsed, { line: number, size: text.length });
  if (!seen.lastBroken) tools.tally.read = number;
  return parsed.kind === "nothing" || parsed.kind === "fault" ? Math.max(LEAST_WASTE, text.length + 1) : 0;
}

function noteComment(text: string, number: number, seen: Seen): void {
  if (number < HEADER_LINES && text === PROMISE) seen.isOurs = true;
  if (text === END_MARK) seen.isEnded = true;
}

function endOf(content: Content, { isOurs, isEnded, lastBroken }: Seen): string | undefined {
  if (isEnded) return undefined;
  if (isOurs || lastBroken || content.isShort()) return "the file was cut off.";
  return undefined;
}

/** A stream of bytes whose beginning can be inspected first. */
function peekable(content: AsyncIterable<Uint8Array>) {
  const source = content[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  return {
    async head(most: number): Promise<string> {
      while (seen.reduce((sum, piece) => sum + piece.length, 0) < most) {
        const next = await source.next();
        if (next.done) break;
        seen.push(Uint8Array.from(next.value));
      }
      return Buffer.concat(seen).toString("utf8");
    },
    async *all(): AsyncGenerator<Uint8Array> {
      yield* seen;
      try {
        for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
      } finally {
        await source.return?.();
      }
    },
  };
}
