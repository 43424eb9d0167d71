import { isAccepted, type UploadRules } from "../../files/rules/file-record.ts";

/** Bounds of the files of one bucket (docs/contract/buckets.md#uploads). */
export const uploadLimits = (settings: Readonly<Record<string, unknown>>): UploadRules => ({
  maxFiles: Number(settings["max_files_per_bucket"]),
  maxSize: Number(settings["max_file_size"]),
  accepted: String(settings["accepted_file_types"] ?? ""),
});

/** Says why files may not be stored in any bucket; undefined = they may. */
export function refusedFiles(
  files: readonly { readonly filename: string; readonly sizeBytes: number }[],
  { maxSize, accepted }: UploadRules,
): string | undefined {
  if (files.some(({ sizeBytes }) => sizeBytes > maxSize))
    return "One or more of the files exceed the maximum allowed bucket file size.";
  if (!files.every(({ filename }) => isAccepted(filename, accepted)))
    return "One or more of the files are not of an accepted type.";
  return undefined;
}

/** Says why a bucket may not have so many files; undefined = it may. */
export const refusedCount = (count: number, { maxFiles }: UploadRules): string | undefined =>
  count > maxFiles
    ? "Failed to process uploaded files: Error: The bucket has reached its maximum number of allowed files."
    : undefined;
