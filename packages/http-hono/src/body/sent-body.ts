/**
 * Writes a body that middleware of the host has parsed the way it was sent; undefined when there is nothing to write, as
 * of forms with files.
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

/** Parsers of nested forms make of `a[b]=1` an object, of `a=1&a=2` a list. */
function append(fields: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) for (const each of value) append(fields, name, each);
  else if (typeof value === "object" && value !== null)
    for (const [inner, deeper] of Object.entries(value)) append(fields, `${name}[${inner}]`, deeper);
  else fields.append(name, String(value ?? ""));
}
