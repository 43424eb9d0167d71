/** Pieces of a text of at most `size` characters; the two halves of a character beyond 16 bits stay together. */
export function cutText(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + size;
    // A half alone would be stored as a character of its own: "�".
    const isParted = size > 1 && end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
    pieces.push(text.slice(at, isParted ? end - 1 : end));
    at = isParted ? end - 1 : end;
  }
  return pieces;
}
