/** Cuts a text into pieces of at most `size` characters, without splitting surrogate pairs. */
export function cutText(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + size;
    // A lone surrogate would be stored as "�".
    const isParted = size > 1 && end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
    pieces.push(text.slice(at, isParted ? end - 1 : end));
    at = isParted ? end - 1 : end;
  }
  return pieces;
}
