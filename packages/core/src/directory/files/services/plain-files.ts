import * as z from "zod";
import type { Upload } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { durationSeconds } from "../../../lib/time/duration.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { plainFilename } from "../rules/names.ts";

/** Files that accounts store under names of their choice, which become part of their addresses (docs/contract/files.md#paths). */
export interface PlainFiles {
  /**
   * Stores files below `files/<folder>/` and replaces files of the same name. Returns the keys. Throws `DomainError` when one
   * cannot be stored, and then removes those that are new.
   */
  keep(uploads: readonly Upload[], folder: string): Promise<string[]>;
}

export const EXPIRE_KIND = "files.expire";

export function createPlainFiles(cradle: Pick<Cradle, "clock" | "config" | "files" | "log" | "transact">): PlainFiles {
  return {
    async keep(uploads, folder) {
      const files = uploads.map(({ filename, key }) => ({
        from: key,
        to: `files/${folder}/${plainFilename(filename)}`,
      }));
      const keys = [...new Set(files.map(({ to }) => to))];
      await noteExpiry(cradle, keys);
      const added: string[] = [];
      try {
        for (const { from, to } of files) {
          // A file that was already replaced is not removed after a failure: the account would have neither version.
          const isNew = (await cradle.files.head(to)) === undefined;
          await cradle.files.keep(from, to);
          if (isNew) added.push(to);
        }
        return files.map(({ to }) => to);
      } catch (error) {
        for (const key of added) await cradle.files.remove(key).catch(() => false);
        cradle.log.error({ error }, "Uploaded files could not be stored");
        throw new DomainError("file", "unavailable", "Failed to process uploaded file: it could not be stored", {
          cause: error,
        });
      }
    },
  };
}

/** Queues the expiry before the files are stored, so that none stays for ever if the upload breaks off. */
async function noteExpiry(
  { clock, config, transact }: Pick<Cradle, "clock" | "config" | "transact">,
  keys: readonly string[],
): Promise<void> {
  const seconds = durationSeconds(config.file_expiration);
  if (seconds === 0) return;
  const noted = clock.now();
  await transact(async ({ tx }) => {
    for (const key of keys) await tx.enqueue(EXPIRE_KIND, { key, noted }, { key, runAt: noted + seconds });
  });
}

const Expired = object(() => ({ key: z.string(), noted: z.number() }));
/** Seconds that an upload may take after its expiry was queued. */
const UPLOAD_TIME = 86_400;

/** Removes an expired file. A newer file of the same name stays: its own expiry is queued. */
export const expireFile: WorkHandler = async ({ payload }, { files }) => {
  const { key, noted } = Expired.parse(payload);
  const info = await files.head(key);
  if (info && info.modified < noted + UPLOAD_TIME) await files.remove(key);
};
