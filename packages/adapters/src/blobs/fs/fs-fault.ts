import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";

const NO_ROOM =
  "so files and the output of jobs cannot be stored. Let this process write there, or name another folder.";

/**
 * The reason why nothing can be stored below a folder, which may not exist before the first blob; undefined = no fault is
 * visible.
 */
export async function folderFault(folder: string): Promise<string | undefined> {
  let there = folder;
  while (!(await isThere(there)) && dirname(there) !== there) there = dirname(there);
  const fault = await faultOf(there);
  if (fault === undefined) return undefined;
  if (there === folder) return `The folder ${folder} of the file store ${fault}, ${NO_ROOM}`;
  return `The folder ${folder} of the file store cannot be made: ${there} ${fault}, ${NO_ROOM}`;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function faultOf(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return "is no folder";
    await access(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return `cannot be written to (${(error as NodeJS.ErrnoException).code})`;
  }
}
