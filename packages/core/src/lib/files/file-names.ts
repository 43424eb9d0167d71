/** Most bytes of a name that every file system accepts. */
const MAX_BYTES = 255;

/** The name that people see, limited to characters that file systems and pages handle without escaping. */
export function displayName(filename: string): string {
  const name = filename.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}_ \-+.,()[\]{}'"!&^%$#@*?~]/gu, "_");
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  // A truncated character decodes to a replacement character, which cannot be in the name.
  return Buffer.from(name)
    .subarray(0, MAX_BYTES)
    .toString()
    .replace(/\ufffd+$/, "");
}

/** The last part of the path under which an output file of a job is stored. */
export const outputName = (filename: string): string => filename.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(-200);
