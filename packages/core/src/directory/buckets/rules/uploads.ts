import { isAccepted } from "../../files/rules/file-record.ts";

/** Bounds of the files of one bucket (docs/contract/buckets.md#uploads). */
export interface UploadLimits {
  readonly maxFiles: number;
  /** Bytes of one file. */
  readonly maxSize: number;
  /** Types and endings, separated by commas; empty = all. */
  readonly accepted: string;
}

export const uploadLimits = (settings: Readonly<Record<string, unknown>>): UploadLimits => ({
  maxFiles: Number(settings["max_files_per_bucket"]),
  maxSize: Number(settings["max_file_size"]),
  accepted: String(settings["accepted_file_types"] ?? ""),
});

/** Why files may not come into any bucket; undefined = they may. */
export function refusedFiles(
  files: readonly { readonly filename: string; readonly sizeBytes: number }[],
  { maxSize, accepted }: UploadLimits,
): string | undefined {
  if (files.some(({ sizeBytes }) => sizeBytes > maxSize))
    return "One or more of the files exceed the maximum allowed bucket file size.";
  if (!files.every(({ filename }) => isAccepted(filename, accepted)))
    return "One or more of the files are not of an accepted type.";
  return undefined;
}

/** Why a bucket may not have so many files; undefined = it may. */
export const refusedCount = (count: number, { maxFiles }: UploadLimits): string | undefined =>
  count > maxFiles
    ? "Failed to process uploaded files: Error: The bucket has reached its maximum number of allowed files."
    : undefined;
