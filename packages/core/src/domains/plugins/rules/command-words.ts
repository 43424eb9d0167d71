/** Blanks, single quotes, double quotes, a backslash, anything else. */
const PIECE = /(\s+)|'([^']*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|\\([\s\S]?)|([^\s'"\\]+)/gy;

/**
 * The words of a command as a POSIX shell splits them: blanks, both quotes and the backslash. Nothing is expanded, so
 * dollar signs, pipes and globs stand for themselves. Undefined when a quote is not closed.
 */
export function splitCommand(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const match of command.matchAll(PIECE)) {
    end = match.index + match[0].length;
    if (match[1] === undefined) word = (word ?? "") + textOf(match);
    else {
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  if (end < command.length) return undefined;
  return word === undefined ? words : [...words, word];
}

function textOf([, , single, double, escaped, plain]: RegExpExecArray): string {
  if (single !== undefined) return single;
  // Between double quotes a backslash is one, unless it stands before what is special there.
  if (double !== undefined)
    return double.replace(/\\(?:([\\"$`])|\n)/g, (_all, sign: string | undefined) => sign ?? "");
  if (escaped !== undefined) return escaped === "\n" ? "" : escaped || "\\";
  return plain ?? "";
}
