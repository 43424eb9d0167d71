import type { FileRecord } from "../../../directory/files/rules/file-record.ts";
import type { PluginRecord } from "../../../directory/plugins/model.ts";
import { processIdentity } from "../../../directory/plugins/rules/process-identity.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { SignalboxError } from "../../../kernel/errors/errors.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import type { LeftFile } from "../../../ports/agents/process-runner.ts";

/** The records of files that a scheduler plugin gave to a job, or why it has none. */
export type PluginFiles =
  | { readonly records: readonly FileRecord[]; readonly fault?: undefined }
  | { readonly fault: string };

interface Wanted {
  readonly path: string;
  readonly filename: string | undefined;
  readonly isMoved: boolean;
}

type Deps = Pick<Cradle, "blobs" | "config" | "inputFiles" | "processes">;

/** Stores the files that an answer names in the plugin's folder, and deletes the originals if the answer says so. */
export async function readPluginFiles(
  deps: Deps,
  plugin: PluginRecord,
  named: readonly unknown[],
): Promise<PluginFiles> {
  if (named.length === 0) return { records: [] };
  const found = await findFiles(deps, plugin, named);
  if ("fault" in found) return found;
  try {
    const sources = found.files.map(({ file, entry }) => ({
      filename: entry.filename ?? file.name,
      sizeBytes: file.sizeBytes,
      store: async (key: string) => (await deps.blobs.put(key, file.content())).sizeBytes,
    }));
    const folder = `files/plugins/${plugin.id}/`;
    const records = await deps.inputFiles.keep(sources, { folder, expires: "plugin_file_expiration", marks: {} });
    for (const { file, entry } of found.files) if (entry.isMoved) await file.remove();
    return { records };
  } catch (error) {
    if (error instanceof SignalboxError) return { fault: error.description };
    throw error;
  }
}

interface Found {
  readonly file: LeftFile;
  readonly entry: Wanted;
}

async function findFiles(
  deps: Deps,
  plugin: PluginRecord,
  named: readonly unknown[],
): Promise<{ readonly files: readonly Found[] } | { readonly fault: string }> {
  const files: Found[] = [];
  const owner = processIdentity(plugin, deps.config.default_plugin_credentials.scheduler);
  for (const each of named) {
    const entry = readEntry(each);
    if (!entry) return { fault: "File not found: (malformed entry)" };
    const file = await deps.processes?.leftFile?.(owner, entry.path);
    if (!file) return { fault: `File not found: ${entry.path.slice(0, 200)}` };
    files.push({ file, entry });
  }
  return { files };
}

function readEntry(entry: unknown): Wanted | undefined {
  const { path, filename, delete: isMoved } = isObject(entry) ? entry : ({ path: entry } as Record<string, unknown>);
  if (typeof path !== "string" || path === "" || path.includes("\0")) return undefined;
  return {
    path,
    filename: typeof filename === "string" && filename !== "" ? filename : undefined,
    isMoved: Boolean(isMoved),
  };
}
