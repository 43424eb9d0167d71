import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** The encodings in which a text may be stored: plain, escaped for URLs or JSON, in hex, in Base64. */
function formsOf(marker: string): Buffer[] {
  const bytes = Buffer.from(marker);
  const hex = bytes.toString("hex");
  // Base64 depends on the marker's offset in a longer text; the first and last characters depend on its neighbours.
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    return text.slice(offset === 0 ? 0 : offset + 1, -2);
  });
  return [marker, encodeURIComponent(marker), hex, hex.toUpperCase(), ...base64].map((form) => Buffer.from(form));
}

/** Names of the markers that are in the bytes. */
export function markersIn(content: Buffer | string, markers: ReadonlyMap<string, string>): string[] {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return [...markers]
    .filter(([, marker]) => formsOf(marker).some((form) => bytes.includes(form)))
    .map(([name]) => name);
}

/** Every file below a folder; compressed files also unpacked. */
export async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    files.set(path, bytes);
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) files.set(`${path} (unpacked)`, gunzipSync(bytes));
  }
  return files;
}
