/** The value of a JSON text; undefined for any other text: the message of the parser quotes it, and it may be secret. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told by the caller, who knows the purpose of the text.
    return undefined;
  }
}
