import type { Cradle } from "../../../kernel/container.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { isStoredPath, outputPath } from "../rules/stored-path.ts";

/** Most concurrent requests to the store. */
const AT_ONCE = 16;

type Store = Pick<Cradle["files"], "head">;

/**
 * The records whose path lies below the folder of the job, with the path normalised. Size and date come from the store if the
 * file is there, otherwise from the report: the agent says that it has uploaded the file or will do so.
 */
export async function outputRecords(
  store: Store,
  id: string,
  files: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const own = files.filter(isObject).flatMap((file) => {
    const path = outputPath(file["path"], id);
    return path === undefined ? [] : [{ ...file, path }];
  });
  const records: Record<string, unknown>[] = [];
  for (let start = 0; start < own.length; start += AT_ONCE) {
    const some = own.slice(start, start + AT_ONCE);
    records.push(...(await Promise.all(some.map(async (file) => ({ ...file, ...(await factsOf(store, file.path)) })))));
  }
  return records;
}

async function factsOf(store: Store, path: string): Promise<{ size: number; date: number } | undefined> {
  // Stores refuse other keys, so no such file can exist.
  const info = isStoredPath(path) ? await store.head(path) : undefined;
  return info && { size: info.sizeBytes, date: Math.floor(info.modified) };
}
