const MAX_KEY_LENGTH = 1024;
const NAME = /^[A-Za-z0-9_.-]+$/;

/** A name inside a key: none of dots alone, which file systems and addresses read in their own way. */
export const isName = (name: string): boolean => NAME.test(name) && !/^\.+$/.test(name);

export const isKey = (key: string): boolean => key.length <= MAX_KEY_LENGTH && key.split("/").every(isName);

/** Throws `TypeError` for a text that is no key; it does not repeat it whole. */
export function checkKey(key: string): void {
  if (typeof key !== "string" || !isKey(key)) throw new TypeError(`Malformed blob key: ${shownKey(String(key))}`);
}

/**
 * A key for errors and logs: long random names open files, so only their beginnings are shown
 * (docs/contract/files.md#safety-of-paths).
 */
export const shownKey = (key: string): string =>
  key.slice(0, 200).replace(/[\w-]{32,}/g, (name) => `${name.slice(0, 8)}…`);
