/** The value of a JSON text; undefined for any other: the parser's error would quote the text, which may be secret. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports it, since it knows the purpose of the text.
    return undefined;
  }
}
