/** `files/<account>/<name>`: the key of an upload under its own name, which others can guess (part 42 §1, §8). */
export const isPlainKey = (key: string): boolean => key.split("/").length === 3;

/** For logs and errors: random names open files, so only the first 8 of their characters are shown (part 42 §4.1). */
export const shownPath = (path: string): string =>
  path.slice(0, 200).replace(/[\w-]{32,}/g, (name) => `${name.slice(0, 8)}…`);
