import { dirname, join } from "node:path";

/** Lines with code: blank ones and those of comments are not counted. */
export function countLines(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

/** Files that a file imports or exports from, types included; packages are left out. */
export function importsOf(path, text) {
  const found = text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;"']*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/g);
  return [...found].map(([, named, dynamic]) => join(dirname(path), named ?? dynamic));
}
