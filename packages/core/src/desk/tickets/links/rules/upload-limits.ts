import { isAccepted, type UploadRules } from "../../../../directory/files/rules/file-record.ts";
import { durationSeconds } from "../../../../lib/time/duration.ts";
import type { TicketFile } from "../../model.ts";

type Settings = Readonly<Record<string, unknown>>;

/** Members of the configuration. */
interface UploadConfig {
  readonly client: { readonly ticket_upload_settings: Settings };
  readonly ticket_upload_settings?: Settings | undefined;
}

/**
 * Bounds on the files of one ticket (docs/contract/tickets.md#files). Reads both spellings, member by member; the top-level one
 * wins.
 */
export function uploadLimits({ client, ticket_upload_settings: own }: UploadConfig): UploadRules {
  const shared = client.ticket_upload_settings;
  return {
    maxFiles: Number(own?.["max_files_per_ticket"] ?? shared["max_files_per_ticket"]),
    maxSize: Number(own?.["max_file_size"] ?? shared["max_file_size"]),
    accepted: String(own?.["accepted_file_types"] ?? shared["accepted_file_types"] ?? ""),
  };
}

type NewFile = { readonly filename: string; readonly sizeBytes: number };

/** The ticket is full, which is a conflict; the refusals below are about the files that were sent. */
export const FULL = "The ticket has reached its maximum number of allowed files.";

/** The reason why files may not be added; undefined = they may be. */
export function refusedUploads(
  files: readonly NewFile[],
  existing: number,
  { maxFiles, maxSize, accepted }: UploadRules,
): string | undefined {
  if (existing + files.length > maxFiles) return FULL;
  if (files.some(({ sizeBytes }) => sizeBytes > maxSize))
    return "One or more of the files exceed the maximum allowed ticket file size.";
  if (!files.every(({ filename }) => isAccepted(filename, accepted)))
    return "One or more of the files are not of an accepted type.";
  return undefined;
}

/** Seconds that files are kept; undefined = forever. */
export function fileLifetime({ file_expiration }: { readonly file_expiration: string }): number | undefined {
  const seconds = durationSeconds(file_expiration);
  return seconds > 0 ? seconds : undefined;
}

/** The records of files that have not expired at `now`, in Unix seconds. */
export function livingFiles(files: readonly TicketFile[], now: number, lifetime: number | undefined): TicketFile[] {
  return files.filter(({ date }) => lifetime === undefined || !(date + lifetime <= now));
}
