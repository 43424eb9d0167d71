import * as z from "zod";
import { discardIfRefused } from "../../../directory/files/discard-if-refused.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { admin, defineCommand } from "../../../kernel/calls/operation.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { shown } from "../../../wire/schemas/shown-members.ts";
import { hostedImport, nothingToImport } from "../faults.ts";
import { ImportFormat } from "../model.ts";

const FALSE: ReadonlySet<unknown> = new Set(["", "0", "false"]);

/** Imports a backup in the background (docs/contract/transfer.md#import). */
export const adminImportData = defineCommand({
  name: "admin_import_data",
  files: true,
  summary:
    "Import a backup or a file of definitions in the background; jobs are aborted, the scheduler is switched off.",
  access: admin,
  refuses: ["admin"],
  input: looseObject(() => ({
    format: ImportFormat.default("xyops"),
    danger: shown(z.boolean().describe("Anything true: jobs that run are left alone.")),
  })),
  output: object(() => ({ id: z.string() })),
  // Copies the upload first: the transport removes it once the request is answered, and no transaction may wait for the store.
  async prepare(_input, { hosted, ids, services, uploads }) {
    const [file, ...others] = uploads;
    if (!file || others.length > 0) throw nothingToImport();
    if (hosted) throw hostedImport();
    const key = `tmp/import-${ids.token()}`;
    await services.files.keep(file.key, key);
    return { key, filename: file.filename };
  },
  async handler({ format, danger }, { actor, audit, emit, log, prepared, services, tx }) {
    const isDangerous = Boolean(danger) && !FALSE.has(danger);
    const request = { ...prepared, format, danger: isDangerous, caller: actor };
    try {
      return services.transfer.import({ audit, emit, tx }, request);
    } catch (error) {
      discardIfRefused(error, () => discard(prepared.key, services, log));
      throw error;
    }
  },
});

async function discard(key: string, { files }: CommandContext["services"], log: CommandContext["log"]): Promise<void> {
  await files
    .remove(key)
    .catch((error: unknown) => log.warn({ error }, "The file of a refused import is removed later"));
}
