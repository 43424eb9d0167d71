import { type ImportTools, LineError, type Place } from "../tools.ts";

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Stores one file under its key, which has been checked. */
export async function takeFile({ cradle, tally }: ImportTools, key: string, value: unknown, { line }: Place) {
  if (typeof value !== "string" || value.length % 4 !== 0 || !BASE64.test(value))
    throw new LineError("The content of a file is not Base64");
  const bytes = Buffer.from(value, "base64");
  try {
    await cradle.blobs.put(key, once(bytes));
    tally.took("files");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    tally.fault(line, "A file cannot be stored under its key");
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
