/** Facts about a stored file; `modified` in Unix seconds. */
export interface FileInfo {
  readonly sizeBytes: number;
  readonly modified: number;
}

/** Request headers, names in lower case. */
type Headers = Readonly<Record<string, string>>;

export const etagOf = ({ sizeBytes, modified }: FileInfo): string => `"${sizeBytes}-${Math.floor(modified)}"`;

/** Unix seconds of an HTTP date; `NaN` for other texts. */
const secondsOf = (date: string): number => Date.parse(date) / 1000;

const matches = (tags: string, etag: string): boolean =>
  tags.split(",", 100).some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);

/**
 * True when the caller already has this content; if both conditions were sent, both must hold (docs/contract/files.md#serving).
 */
export function isUnchanged(headers: Headers, info: FileInfo): boolean {
  const { "if-none-match": tags, "if-modified-since": since } = headers;
  if (tags === undefined && since === undefined) return false;
  const sameTag = tags === undefined || matches(tags, etagOf(info));
  return sameTag && (since === undefined || secondsOf(since) >= Math.floor(info.modified));
}

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The single range that was requested; undefined = the whole file. An end beyond the file is reduced to its last byte. */
export function requestedRange(headers: Headers, info: FileInfo): ByteRange | "unsatisfiable" | undefined {
  const { range, "if-range": condition } = headers;
  if (range === undefined) return undefined;
  // A range of newer content would not fit the parts that the caller already has.
  if (condition !== undefined && condition !== etagOf(info) && secondsOf(condition) !== Math.floor(info.modified))
    return undefined;
  const { sizeBytes } = info;
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range.trim()) ?? [];
  if (first === "" && last === "") return "unsatisfiable";
  const start = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return start > end ? "unsatisfiable" : { start, end };
}
