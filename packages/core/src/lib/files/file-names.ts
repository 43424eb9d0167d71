/** Bytes of a name that every file system takes. */
const MAX_BYTES = 255;

/** The name that people see, of characters that file systems and pages take as they are. */
export function displayName(filename: string): string {
  const name = filename.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}_ \-+.,()[\]{}'"!&^%$#@*?~]/gu, "_");
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  // A character that is cut is read as a replacement, which no name has.
  return Buffer.from(name)
    .subarray(0, MAX_BYTES)
    .toString()
    .replace(/\ufffd+$/, "");
}

/** The last part of the path that an output file of a job is stored under. */
export const outputName = (filename: string): string => filename.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(-200);
