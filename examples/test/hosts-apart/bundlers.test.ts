import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const examples = fileURLToPath(new URL("../../", import.meta.url));
const apart = createRequire(join(examples, "hosts-apart/_"));
const isInstalled = existsSync(join(examples, "hosts-apart/node_modules"));

interface Stats {
  toJson(options: object): { readonly errors: readonly unknown[] };
}
interface Vite {
  build(options: object): Promise<unknown>;
}
type Webpack = (options: object, done: (fault: Error | null, stats: Stats) => void) => void;

/** Bundles `host.mjs` of a folder into `file` beside it. */
async function withWebpack(folder: string, file: string): Promise<void> {
  const webpack = apart("webpack") as Webpack;
  const isModule = file.endsWith(".mjs");
  const form = isModule
    ? { experiments: { outputModule: true }, output: { module: true, library: { type: "module" } } }
    : { output: { library: { type: "commonjs2" } } };
  const stats = await new Promise<Stats>((resolve, reject) => {
    const options = {
      ...{ mode: "production", target: "node22", context: folder, entry: "./host.mjs", devtool: false, ...form },
      optimization: { minimize: false },
      output: { ...form.output, path: folder, filename: file },
    };
    webpack(options, (fault, made) => (fault ? reject(fault) : resolve(made)));
  });
  expect(stats.toJson({ all: false, errors: true }).errors).toEqual([]);
}

async function withVite(folder: string, file: string): Promise<void> {
  const { build } = (await import(pathToFileURL(apart.resolve("vite")).href)) as unknown as Vite;
  await build({
    ...{ root: folder, configFile: false, logLevel: "error", ssr: { noExternal: true } },
    build: {
      ssr: join(folder, "host.mjs"),
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: file } },
    },
  });
}

// Installed by `npm run soak -- hosts`.
describe.skipIf(!isInstalled)("a host bundled by", () => {
  /** A folder from which installed packages resolve, as they do where a bundle runs. */
  const folder = mkdtempSync(join(examples, ".bundled-"));
  beforeAll(() => {
    const host = readFileSync(join(examples, "test/bundled/host.ts"), "utf8");
    writeFileSync(join(folder, "host.mjs"), stripTypeScriptTypes(host));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ["webpack as a module", withWebpack, "webpack.mjs"],
    ["webpack as CommonJS", withWebpack, "webpack.cjs"],
    ["Vite for a server", withVite, "vite.mjs"],
  ] as const)("%s serves pages, accepts a file and runs a thread", async (_name, joinWith, file) => {
    await joinWith(folder, file);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ page: 200, upload: 200, code: 0, data: { thread: true }, isPage: true });
  });
});
