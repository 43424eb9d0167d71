const MAX_KEY = 1024;
const MAX_PATH = 4096;
/** Bytes of a name in all common file systems, so no file is stored under a longer one. */
const MAX_SEGMENT = 255;

/**
 * True for segments that are not safe names: empty, only dots, or with characters that no key may contain
 * (docs/contract/files.md#safety-of-paths).
 */
const isRefused = (segment: string): boolean =>
  segment === "" || /^\.+$/.test(segment) || segment.includes("\0") || segment.includes("\\");

/** Removes the marks of letters, then every character that keys do not allow. */
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

/** Name under which a file is stored: base name in lower case, with an extension (docs/contract/files.md#paths). */
export const cleanFilename = (filename: string): string => plainFilename(filename.toLowerCase());

/** Like `cleanFilename`, but keeps upper and lower case, for files whose address people remember. */
export function plainFilename(filename: string): string {
  const base = filename.slice(filename.lastIndexOf("/") + 1);
  const name = base.replace(/[^A-Za-z0-9_.-]/g, "_").slice(-MAX_NAME);
  return /\.\w+$/.test(name) ? name : `${name}.bin`;
}

/** Long enough for every tool to recognise a file, short enough for a key. */
const MAX_NAME = 200;
