/** Escapes characters that JSON leaves unescaped but some readers take for line breaks. */
const oneLine = (json: string): string =>
  json.replace(/[\u0085\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** One server-sent event with JSON data; a client that reconnects sends the last `id`. */
export const encodeEvent = (name: string, data: unknown, id?: string): Uint8Array =>
  Buffer.from(`${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${oneLine(JSON.stringify(data))}\n\n`);

/** A comment line: clients that receive nothing for too long consider the connection dead. */
export const KEEP_ALIVE: Uint8Array = Buffer.from(": keep-alive\n\n");
