/** Throws `TypeError` for a key that is not slash-separated names of `[A-Za-z0-9_.-]`, or holds `.` or `..`. */
export function checkBlobKey(key: string): void {
  const segments = key.split("/");
  const safe = segments.every((name) => /^[A-Za-z0-9_.-]+$/.test(name) && !/^\.+$/.test(name));
  if (!safe || key.length > 1024) throw new TypeError("Malformed blob key");
}
