const MAX_KEY = 1024;
const MAX_PATH = 4096;
/** Bytes of a name in every usual file system, so nothing is stored under a longer one. */
const MAX_SEGMENT = 255;

/**
 * True for segments that are no safe names: empty, dots alone, or with characters that no key may hold
 * (docs/contract/files.md#safety-of-paths).
 */
const isRefused = (segment: string): boolean =>
  segment === "" || /^\.+$/.test(segment) || segment.includes("\0") || segment.includes("\\");

/** Letters without their marks, in the forms that keys are made of; everything else goes. */
const foldName = (segment: string): string => segment.normalize("NFKD").replace(/[^A-Za-z0-9_.-]/g, "");

/** Key of a stored file from its path below `files/`, decoded once; undefined for paths that name no file. */
export function fileKey(path: string): string | undefined {
  if (path.length > MAX_PATH) return undefined;
  const segments = path.split("/");
  if (segments.some(isRefused)) return undefined;
  const names = segments.map(foldName);
  const key = `files/${names.join("/")}`;
  if (names.some((name) => isRefused(name) || name.length > MAX_SEGMENT)) return undefined;
  return key.length > MAX_KEY ? undefined : key;
}

/** Name under which a file is kept: base name in lower case, with an ending (docs/contract/files.md#paths). */
export const cleanFilename = (filename: string): string => plainFilename(filename.toLowerCase());

/** Like `cleanFilename`, with letters in the case that was sent, for files whose address people know by heart. */
export function plainFilename(filename: string): string {
  const base = filename.slice(filename.lastIndexOf("/") + 1);
  const name = base.replace(/[^A-Za-z0-9_.-]/g, "_").slice(-MAX_NAME);
  return /\.\w+$/.test(name) ? name : `${name}.bin`;
}

/** Long enough for every tool to recognise a file, short enough for a key. */
const MAX_NAME = 200;
