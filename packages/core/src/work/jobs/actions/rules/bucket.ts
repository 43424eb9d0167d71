import { compileGlob } from "../../../../lib/files/glob.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { isStoredPath, outputFolder } from "../../rules/stored-path.ts";

type Members = Readonly<Record<string, unknown>>;

/** The parts of a bucket that an action stores or fetches (docs/contract/buckets.md#jobs). */
export interface BucketParts {
  readonly data: boolean;
  readonly files: boolean;
  /** True for files that match the action's pattern. */
  readonly isMeant: (filename: string) => boolean;
}

/** Throws `Error` for a pattern that is too long. */
export function partsOf({ bucket_glob: glob, bucket_sync: sync }: Members): BucketParts {
  const pattern = typeof glob === "string" && glob !== "" ? glob : "*";
  return {
    data: sync !== "files",
    files: sync === "files" || sync === "data_and_files",
    isMeant: compileGlob(pattern),
  };
}

interface OutputFile {
  readonly filename: string;
  /** Key in the file store. */
  readonly key: string;
}

/**
 * Output files of a job that match the action. A path outside the job's folder is ignored, because that file does not belong to
 * the job.
 */
export function meantOutput(files: unknown, job: string, { files: wanted, isMeant }: BucketParts): OutputFile[] {
  if (!wanted || !Array.isArray(files)) return [];
  return files.filter(isObject).flatMap(({ filename, path }) => {
    if (typeof filename !== "string" || !isStoredPath(path, outputFolder(job)) || !isMeant(filename)) return [];
    return [{ filename, key: path }];
  });
}

/** Appends the files of a bucket to a job's input; a file with the same path is replaced in place. */
export function withFiles(given: unknown, coming: readonly { readonly path: string }[], bucket: string): unknown[] {
  const files: unknown[] = Array.isArray(given) ? [...given] : [];
  for (const file of coming) {
    const place = files.findIndex((each) => isObject(each) && each["path"] === file.path);
    const marked = { ...file, bucket };
    if (place < 0) files.push(marked);
    else files[place] = marked;
  }
  return files;
}

/** "data and 2 files"; empty when there are none. */
export function amountText(data: boolean, files: number): string {
  const parts = [...(data ? ["data"] : []), ...(files > 0 ? [`${files} ${files === 1 ? "file" : "files"}`] : [])];
  return parts.join(" and ");
}
