/** Code of a job whose function failed: the code of its error, such as `ECONNREFUSED`, or 1. */
export function codeOf(error: unknown): string | number {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" && code !== "" ? code.slice(0, 100) : 1;
}
