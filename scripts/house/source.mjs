import { dirname, join } from "node:path";

/** Lines of code, without blank lines and comments. */
export function countLines(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

/**
 * Modules that a file imports or exports from, including types and lazy imports: paths of files, and on request names of
 * packages.
 */
export function importsOf(path, text, { packages = false } = {}) {
  const found = text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;"']*?(?:from\s+)?"([^"]+)"|import\("([^"]+)"\)/g);
  return [...found]
    .map(([, named, lazy]) => named ?? lazy)
    .filter((name) => packages || name.startsWith("."))
    .map((name) => (name.startsWith(".") ? join(dirname(path), name) : name));
}
