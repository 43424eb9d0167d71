import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { rolldown } from "rolldown";
import { afterAll, expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const examples = fileURLToPath(new URL("../../", import.meta.url));
const host = join(import.meta.dirname, "host.ts");
/** A folder from which installed packages resolve, as they do where a bundle runs. */
const folder = mkdtempSync(join(examples, ".bundled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Format = "esm" | "cjs";
const BUNDLERS: Readonly<Record<string, (format: Format, file: string) => Promise<unknown>>> = {
  async rolldown(format, file) {
    const bundle = await rolldown({ input: host, platform: "node", onLog: refuse });
    await bundle.write({ file, format, codeSplitting: false });
  },
  // CommonJS packages bundled into an ES module call `require`, which a module does not have.
  esbuild: (format, file) =>
    build({
      ...{ entryPoints: [host], bundle: true, platform: "node", outfile: file, format, logLevel: "silent" },
      ...(format === "esm" ? { banner: { js: REQUIRE } } : {}),
    }),
};
const REQUIRE = 'import { createRequire as _make } from "node:module"; const require = _make(import.meta.url);';

function refuse(level: string, { message }: { message: string }): void {
  if (level === "warn") throw new Error(message);
}

const WORKS = { page: 200, upload: 200, code: 0, data: { thread: true }, isPage: true };

test.each([
  ["rolldown", "esm"],
  ["rolldown", "cjs"],
  ["esbuild", "esm"],
  ["esbuild", "cjs"],
] as const)("a host bundled by %s as %s serves pages, accepts a file and runs a thread", async (name, format) => {
  const file = join(folder, `${name}.${format === "esm" ? "mjs" : "cjs"}`);
  await BUNDLERS[name]?.(format, file);
  const { stdout } = await run(process.execPath, [file], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual(WORKS);
});

test("a host on SQLite does not import packages of S3, which a bundler would have to find", async () => {
  const asked: string[] = [];
  const ear: Plugin = {
    name: "ear",
    setup: ({ onResolve }) => onResolve({ filter: /./ }, ({ path }) => void asked.push(path)),
  };
  await build({ ...{ entryPoints: [host], bundle: true, platform: "node", write: false }, plugins: [ear] });
  expect(asked).toContain("@signalbox/storage-sqlite");
  expect(asked).not.toContain("aws4fetch");
});

test("a bundle without installed packages says what to do about its pages", async () => {
  const lone = mkdtempSync(join(tmpdir(), "signalbox-lone-"));
  onTestFinished(() => rmSync(lone, { recursive: true, force: true }));
  await BUNDLERS["esbuild"]?.("cjs", join(lone, "host.cjs"));
  const said = expect.stringMatching(
    /^Error: The pages of the dashboard are not there: .*manifest\.json of @signalbox\/dashboard is not here: keep .*out of/m,
  );
  await expect(run(process.execPath, ["host.cjs"], { cwd: lone })).rejects.toMatchObject({ stderr: said });
});

test("require() of CommonJS loads every entry point", async () => {
  const doors = [
    "core",
    "core/plugin",
    "core/storage",
    "core/adapter",
    "core/testing",
    "adapters/agents",
    "adapters/log",
  ];
  const more = [
    "adapters/local-agent",
    "adapters/blobs",
    "adapters/blobs/fs",
    "http-hono",
    "http-hono/mount",
    "http-hono/node",
    "dashboard",
    "storage-sqlite",
  ];
  const names = [...doors, ...more, "storage-pg"].map((name) => `@signalbox/${name}`);
  const file = join(folder, "doors.cjs");
  writeFileSync(file, `console.log(${JSON.stringify(names)}.every((name) => Object.keys(require(name)).length > 0))`);
  expect((await run(process.execPath, [file], { cwd: folder })).stdout.trim()).toBe("true");
});
