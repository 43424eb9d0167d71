const MAX_KEY_LENGTH = 1024;
const NAME = /^[A-Za-z0-9_.-]+$/;

/** A valid segment of a key. Dots alone are not valid, because file systems and URLs give them a meaning. */
export const isName = (name: string): boolean => NAME.test(name) && !/^\.+$/.test(name);

export const isKey = (key: string): boolean => key.length <= MAX_KEY_LENGTH && key.split("/").every(isName);

/** Throws `TypeError` for a malformed key, with a message that does not repeat the whole key. */
export function checkKey(key: string): void {
  if (typeof key !== "string" || !isKey(key)) throw new TypeError(`Malformed blob key: ${shownKey(String(key))}`);
}

/**
 * A key as errors and logs may contain it: long random names grant access to files, so only their beginnings are shown
 * (docs/contract/files.md#safety-of-paths).
 */
export const shownKey = (key: string): string =>
  key.slice(0, 200).replace(/[\w-]{32,}/g, (name) => `${name.slice(0, 8)}…`);
