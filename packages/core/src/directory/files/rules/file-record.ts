import { displayName } from "../../../lib/files/file-names.ts";
import { contentTypeOf } from "./content-types.ts";

/** A file that was given to a job, in the form of the job's record (docs/contract/files.md#file-record). */
export interface FileRecord {
  readonly id: string;
  /** Unix seconds. */
  readonly date: number;
  readonly filename: string;
  /** Key in the store, and path relative to the address of the engine. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly username?: string;
  readonly magic?: true;
}

/** A folder named after an account. */
export const folderOf = (username: string): string => {
  const name = username.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, 100);
  return /^\.*$/.test(name) ? "_" : name;
};

/** Bounds of the files of one job, ticket or bucket. */
export interface UploadRules {
  readonly maxFiles: number;
  /** Bytes of one file. */
  readonly maxSize: number;
  /** Content types and extensions, separated by commas; empty = all. */
  readonly accepted: string;
}

export const tooMany = (most: number): string => `Too many files (at most ${most})`;

/** Says why files are refused; undefined = they are accepted. */
export function refusedFiles(
  files: readonly { readonly filename: string; readonly sizeBytes: number }[],
  { maxFiles, maxSize, accepted }: UploadRules,
): string | undefined {
  if (files.length > maxFiles) return tooMany(maxFiles);
  const large = files.find(({ sizeBytes }) => sizeBytes > maxSize);
  if (large) return `File is too large: ${displayName(large.filename)} (at most ${maxSize} bytes)`;
  const foreign = files.find(({ filename }) => !isAccepted(filename, accepted));
  return foreign && `File type is not accepted: ${displayName(foreign.filename)}`;
}

/** Matches `image/*`, `text/plain` or `.csv`, like the attribute `accept` of a file field. */
export function isAccepted(filename: string, accepted: string): boolean {
  const wanted = accepted
    .toLowerCase()
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  if (wanted.length === 0) return true;
  const name = filename.toLowerCase();
  const [type = ""] = contentTypeOf(name).split(";");
  return wanted.some((each) => {
    if (!each.includes("/")) return name.endsWith(each);
    return each.endsWith("/*") ? type.startsWith(each.slice(0, -1)) : type === each;
  });
}
