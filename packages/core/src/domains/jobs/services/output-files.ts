import type { Cradle } from "../../../kernel/container.ts";
import { isObject } from "../../../lib/is-object.ts";
import { isStoredPath, outputFolder } from "../rules/stored-path.ts";

/** Questions to the store that are open at a time. */
const AT_ONCE = 16;

/** Those of the named files that are below the folder of the job and really there, with the size that they have. */
export async function storedFiles(
  store: Pick<Cradle["files"], "head">,
  id: string,
  files: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const own = files.filter(isObject).filter(({ path }) => isStoredPath(path, outputFolder(id)));
  const stored: Record<string, unknown>[] = [];
  for (let start = 0; start < own.length; start += AT_ONCE) {
    const some = own.slice(start, start + AT_ONCE);
    const infos = await Promise.all(some.map(({ path }) => store.head(String(path))));
    for (const [index, file] of some.entries()) {
      const info = infos[index];
      if (info) stored.push({ ...file, size: info.sizeBytes });
    }
  }
  return stored;
}
