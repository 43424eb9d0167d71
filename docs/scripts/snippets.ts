/**
 * Type-checks every `ts` snippet of the guides and of README, each as its own module, against the built packages.
 * `snippet-globals.d.ts` declares the names that snippets omit because the text before them introduces them.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "docs/.cache/snippets");

interface Snippet {
  readonly page: string;
  /** Line number of the opening fence. */
  readonly line: number;
  readonly code: string;
}

function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((found) => ({
    page,
    line: text.slice(0, found.index).split("\n").length,
    code: found[1] ?? "",
  }));
}

const guides = join(root, "docs/guide");
const inside = readdirSync(guides, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
const pages = [join(root, "README.md"), ...inside.map((name) => join(guides, name))];
const snippets = pages.flatMap(snippetsOf);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const sources = new Map<string, Snippet>();
for (const snippet of snippets) {
  const name = `${basename(snippet.page, ".md")}-${snippet.line}.ts`;
  sources.set(name, snippet);
  // The code starts on the first line, so that the fence's line can simply be added to the lines of errors.
  writeFileSync(join(folder, name), `${snippet.code}\nexport {};\n`);
}
const project = {
  extends: "../../../tsconfig.base.json",
  compilerOptions: {
    composite: false,
    noEmit: true,
    declaration: false,
    emitDeclarationOnly: false,
    customConditions: [],
    rewriteRelativeImportExtensions: false,
    types: ["node"],
  },
  files: [...sources.keys(), "../../scripts/snippet-globals.d.ts"],
};
writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));

const compiler = join(root, "node_modules/typescript/bin/tsc");
const { status, stdout, error } = spawnSync(process.execPath, [compiler, "--pretty", "false", "-p", folder], {
  encoding: "utf8",
});
if (error) throw error;
const located = stdout.replace(
  /^\S*?([\w-]+\.ts)\((\d+),(\d+)\)/gm,
  (all, name: string, line: string, column: string) => {
    const snippet = sources.get(name);
    return snippet ? `${relative(root, snippet.page)}:${snippet.line + Number(line)}:${column}` : all;
  },
);
if (located) console.error(located.trim());
console.log(`${snippets.length} snippets of ${new Set(snippets.map(({ page }) => page)).size} pages looked at`);
process.exit(status ?? 1);
