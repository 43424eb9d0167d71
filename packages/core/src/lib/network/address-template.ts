/** Sample values for macros: a part of a host or path, a port, a whole address. */
const WORDS = ["x", "1", "https://x"];

/** Whether a text with macros can become an address when one of the sample values replaces all of them. */
export const isAddressTemplate = (text: string): boolean => WORDS.some((word) => URL.canParse(withWord(text, word)));

/** Works in one pass, since a pattern would search for the end again from every opening. */
function withWord(text: string, word: string): string {
  const [start = "", ...rest] = text.split("{{");
  const pieces = rest.map((piece) => {
    const end = piece.indexOf("}}");
    return end < 0 ? `{{${piece}` : word + piece.slice(end + 2);
  });
  return start + pieces.join("");
}
