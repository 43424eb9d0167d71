/** JSON on one line: some readers take these characters, which JSON leaves as they are, for line breaks. */
const oneLine = (json: string): string =>
  json.replace(/[\u0085\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** One server-sent event with JSON for its data; `id` is what a client comes back with. */
export const encodeEvent = (name: string, data: unknown, id?: string): Uint8Array =>
  Buffer.from(`${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${oneLine(JSON.stringify(data))}\n\n`);

/** A comment: clients that hear nothing for too long take the connection for dead. */
export const KEEP_ALIVE: Uint8Array = Buffer.from(": keep-alive\n\n");
