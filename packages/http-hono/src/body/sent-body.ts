/**
 * Restores the bytes of a body that middleware of the host has parsed; undefined when it cannot be restored, such as a form with
 * files.
 */
export function sentBody(body: unknown, contentType: string): Buffer | undefined {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === "string") return Buffer.from(body);
  const type = contentType.toLowerCase();
  if (body === undefined || body === null || type.includes("multipart")) return undefined;
  return Buffer.from(type.includes("urlencoded") ? writeForm(body) : JSON.stringify(body));
}

function writeForm(body: unknown): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(body as object)) append(fields, name, value);
  return fields.toString();
}

/** Parsers of nested forms turn `a[b]=1` into an object and `a=1&a=2` into a list; this reverses it. */
function append(fields: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) for (const each of value) append(fields, name, each);
  else if (typeof value === "object" && value !== null)
    for (const [inner, deeper] of Object.entries(value)) append(fields, `${name}[${inner}]`, deeper);
  else fields.append(name, String(value ?? ""));
}
