/** Most alternatives of a pattern, and most characters. */
const MAX_ALTERNATIVES = 20;
const MAX_PATTERN = 200;

/**
 * Compiles a pattern into a matcher of file names (docs/contract/buckets.md#globs): `*` matches any characters, `?` one, `[a-z]`
 * and `[!a-z]` one of a set, `{a,b}` alternatives. Matching takes at most the length of the name times that of the pattern,
 * however many stars it has. Throws `Error` for a pattern that is too long.
 */
export function compileGlob(pattern: string): (name: string) => boolean {
  const compiled = alternativesOf(pattern).map(matcherOf);
  return (name) => compiled.some((isMatch) => isMatch(name));
}

/** Compiles a pattern without alternatives. */
export function matcherOf(pattern: string): (name: string) => boolean {
  const tokens = tokensOf(pattern);
  return (name) => matches(tokens, [...name]);
}

/** Expands a pattern into one per alternative, from left to right; braces do not nest. Throws `Error` for too many. */
export function alternativesOf(pattern: string): string[] {
  const patterns = pattern.length > MAX_PATTERN ? [] : expanded(pattern);
  if (patterns.length === 0 || patterns.length > MAX_ALTERNATIVES)
    throw new Error("The pattern for names of files is too long.");
  return patterns;
}

function expanded(pattern: string): string[] {
  let patterns = [""];
  for (const part of pattern.split(/(\{[^{}]*,[^{}]*\})/)) {
    const choices = part.startsWith("{") && part.includes(",") ? part.slice(1, -1).split(",") : [part];
    patterns = patterns.flatMap((head) => choices.map((tail) => head + tail)).slice(0, MAX_ALTERNATIVES + 1);
  }
  return patterns;
}

/** "*", or a test for one character. */
type Token = "*" | ((character: string) => boolean);

function tokensOf(pattern: string): Token[] {
  return Array.from(pattern.matchAll(/\*+|\[!?[^\]]+\]|./gsu), ([text]): Token => {
    if (text.startsWith("*")) return "*";
    if (text === "?") return () => true;
    if (text.length > 1 && text.startsWith("[")) return setOf(text.slice(1, -1));
    return (character) => character === text;
  });
}

function setOf(text: string): (character: string) => boolean {
  const isNegated = text.startsWith("!");
  const members = Array.from(text.slice(isNegated ? 1 : 0).matchAll(/(.)-(.)|(.)/gsu), ([, from, to, one]) =>
    one === undefined ? [String(from), String(to)] : [one, one],
  );
  return (character) => members.some(([from = "", to = ""]) => character >= from && character <= to) !== isNegated;
}

/** Backtracks only to the last star: the tokens before it have already matched. */
function matches(tokens: readonly Token[], characters: readonly string[]): boolean {
  let [at, token, star, mark] = [0, 0, -1, 0];
  while (at < characters.length) {
    const wanted = tokens[token];
    if (wanted === "*") {
      star = token++;
      mark = at;
    } else if (wanted?.(characters[at] ?? "")) {
      at++;
      token++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++mark;
    } else return false;
  }
  return tokens.slice(token).every((each) => each === "*");
}
