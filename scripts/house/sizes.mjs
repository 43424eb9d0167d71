import { countLines } from "./source.mjs";

const MOST_LINES = 300;
const MOST_LINES_OF_FUNCTION = 40;
const MOST_FILES = 8;

/** Whether a file belongs to tests, by its path. */
export const isOfTests = (path) => /\.test\.\w+$|(?:^|\/)(?:test|testing)\//.test(path);

/** Paths of the files that are too long, counting comments. */
export const longFiles = (files) =>
  files.filter(({ text }) => text.replace(/\n$/, "").split("\n").length > MOST_LINES).map(({ path }) => path);

/** The first line of a named function or method; a function passed to a call (such as the body of a test) has no name. */
const BEGINS =
  /^\s*(?:(?:export|default|async|static|get|set) )*(?:function\*? \w+|(?!(?:if|for|while|switch|catch|with|return)\b)#?\w+(?:<[^>]*>)?\(.*[({[]$|const \w+ = (?:async )?(?:function\b|[(<]))/;

/**
 * The last line of the block that begins in a line. The code is formatted: a signature over several lines ends with a line such
 * as `}) {`.
 */
function endOf(lines, at) {
  const indent = /^\s*/.exec(lines[at])[0];
  const next = lines.findIndex(
    (line, index) =>
      index > at &&
      line.trim() !== "" &&
      !/^\s/.test(line.slice(indent.length)) &&
      !/^[)}\]].*[[{(]$/.test(line.trim()),
  );
  return next === -1 ? lines.length - 1 : next;
}

/** Named functions and methods that are too long without comments, by path and first line. */
export function longFunctions({ path, text }) {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    if (!BEGINS.test(line)) return [];
    const end = endOf(lines, at);
    const isWhole = /^\s*\}/.test(lines[end]) && !/^\s*\}\)/.test(lines[end]);
    const isLong = countLines(lines.slice(at, end + 1).join("\n")) > MOST_LINES_OF_FUNCTION;
    return isWhole && isLong ? [`${path}:${at + 1}`] : [];
  });
}

/** Folders with too many files; tests beside the tested files do not count. */
export function fullFolders(paths) {
  const counts = new Map();
  for (const path of paths) {
    if (/\.test\.\w+$/.test(path)) continue;
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder]) => folder);
}
