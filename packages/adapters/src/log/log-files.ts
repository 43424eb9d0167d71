import { createWriteStream } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline as pipe } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

/** One file of a log: the current `<log>.<day>.log` or a finished piece `<log>.<day>.<n>.log`, compressed or not. */
export interface LogFile {
  readonly file: string;
  readonly log: string;
  readonly day: string;
  /** Pieces are numbered from 1; the current file comes last. */
  readonly piece: number;
  readonly isPacked: boolean;
}

const NAME = /^(\w+)\.(\d{4}-\d\d-\d\d)(?:\.(\d{1,6}))?\.log(\.gz)?$/;
const LIVE = Number.POSITIVE_INFINITY;

/** The log files in a folder, oldest first. Files of other programs are ignored. */
export async function logFilesIn(folder: string): Promise<LogFile[]> {
  const names = (await readdir(folder).catch(missing)) ?? [];
  return names
    .flatMap((file) => {
      const [, log, day = "", piece, packed] = NAME.exec(file) ?? [];
      return log === undefined
        ? []
        : [{ file, log, day, piece: piece ? Number(piece) : LIVE, isPacked: packed !== undefined }];
    })
    .toSorted((a, b) => a.day.localeCompare(b.day) || compare(a.piece, b.piece));
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

export const isPiece = ({ piece }: LogFile): boolean => piece !== LIVE;

export const bytesOf = async (path: string): Promise<number> => (await stat(path).catch(missing))?.size ?? 0;

const PART = ".gz.part";

/** Compresses a file. The plain file counts until the compressed one has its final name. */
export async function pack(path: string): Promise<void> {
  const source = await open(path);
  await pipeline(source.createReadStream(), createGzip(), createWriteStream(`${path}${PART}`, { mode: 0o600 }));
  await rename(`${path}${PART}`, `${path}.gz`);
  await rm(path, { force: true });
}

/** Removes partial files left by an interrupted compression. */
export async function removeParts(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(missing)) ?? [];
  for (const name of names) if (name.endsWith(PART)) await rm(join(folder, name), { force: true });
}

/** The contents of the files, one after the other. */
export async function* contentOf(paths: readonly string[]): AsyncIterable<Uint8Array> {
  for (const path of paths) {
    // The file may have been packed meanwhile, or deleted.
    const plain = path.endsWith(".gz") ? undefined : await open(path).catch(missing);
    const packed = plain ? undefined : await open(path.endsWith(".gz") ? path : `${path}.gz`).catch(missing);
    if (plain) yield* plain.createReadStream();
    if (packed) yield* unpacked(packed);
  }
}

async function* unpacked(file: FileHandle): AsyncIterable<Uint8Array> {
  const content = createGunzip();
  // An error of the file ends the content, and its reader gets the error.
  pipe(file.createReadStream(), content, () => undefined);
  yield* content;
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
