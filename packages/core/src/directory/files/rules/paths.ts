/**
 * True for `files/<account>/<name>`: the key of an upload under its own name, which others can guess
 * (docs/contract/files.md#paths, docs/contract/files.md#who-may-read).
 */
export const isPlainKey = (key: string): boolean => key.split("/").length === 3;

/**
 * A path for logs and errors. Random names open files, so only their first 8 characters are shown
 * (docs/contract/files.md#safety-of-paths).
 */
export const shownPath = (path: string): string =>
  path.slice(0, 200).replace(/[\w-]{32,}/g, (name) => `${name.slice(0, 8)}…`);
