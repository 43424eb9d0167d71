const SWITCHED_ON: ReadonlySet<string> = new Set(["1", "true"]);
const SWITCHED_OFF: ReadonlySet<string> = new Set(["", "0", "false"]);
const MAX_NAME = 255;

/** Removes quotes, backslashes, control characters and broken surrogates, which would end the header or its quoting. */
const cleanHeaderName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/["\\/\p{Cc}\p{Zl}\p{Zp}\ufffd]/gu, "")
    .slice(0, MAX_NAME)
    .trim();

/** Encodes a name by RFC 5987, including characters that `encodeURIComponent` leaves and the header may not contain. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Value of `Content-Disposition`; undefined = shown in the page. `wanted` comes from the URL: a switch, or a name for the file.
 * `forced` = displaying it could do harm.
 */
export function dispositionOf(stored: string, wanted: string | undefined, forced: boolean): string | undefined {
  const isNamed = wanted !== undefined && !SWITCHED_ON.has(wanted) && !SWITCHED_OFF.has(wanted);
  const isWanted = wanted !== undefined && !SWITCHED_OFF.has(wanted);
  if (!isWanted && !forced) return undefined;
  const name = (isNamed ? cleanHeaderName(wanted) : "") || stored;
  const plain = name.replace(/[^\x20-\x7e]/g, "_");
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`;
}
