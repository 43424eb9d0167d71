/** Slash-separated names of `[A-Za-z0-9_.-]`, none of them `.` or `..`. */
export const isBlobKey = (key: string): boolean =>
  key.length <= 1024 && key.split("/").every((name) => /^[A-Za-z0-9_.-]+$/.test(name) && !/^\.+$/.test(name));

/** Throws `TypeError` for a key that is not slash-separated names of `[A-Za-z0-9_.-]`, or holds `.` or `..`. */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError("Malformed blob key");
}
