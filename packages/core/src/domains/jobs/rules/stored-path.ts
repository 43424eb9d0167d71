const MAX_PATH = 1024;

/** A key below a folder of the file store, as uploads write them. */
export const isStoredPath = (path: unknown, folder = "files/"): path is string =>
  typeof path === "string" &&
  path.length <= MAX_PATH &&
  path.startsWith(folder) &&
  path.split("/").every((name) => /^[A-Za-z0-9_.-]+$/.test(name) && !/^\.+$/.test(name));

/** Where the output files of a job are. */
export const outputFolder = (id: string): string => `files/jobs/${id}/`;
