import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { beforeAll, expect, test } from "vitest";

const KILOBYTE = 1024;
const assets = new URL("../dist/assets/", import.meta.url);
const packed = (name: string): number => gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).byteLength;

interface Manifest {
  readonly entry: string;
  readonly preload: readonly string[];
  readonly style: string;
  readonly pages: Readonly<Record<string, readonly string[]>>;
}
let manifest: Manifest;

beforeAll(() => {
  execFileSync(process.execPath, [fileURLToPath(new URL("../scripts/build.mjs", import.meta.url))]);
  manifest = JSON.parse(readFileSync(new URL("manifest.json", assets), "utf8")) as Manifest;
});

const weight = (names: Iterable<string>): number =>
  [...new Set(names)].map(packed).reduce((sum, size) => sum + size, 0);

test("the first page is at most 70 kB of script and 12 kB of style", () => {
  const scripts = [manifest.entry, ...manifest.preload, ...(manifest.pages["overview"] ?? [])];
  expect(manifest.pages["overview"]).toBeDefined();
  expect(weight(scripts)).toBeLessThanOrEqual(70 * KILOBYTE);
  expect(packed(manifest.style)).toBeLessThanOrEqual(12 * KILOBYTE);
});

test("every page is at most 130 kB in all", () => {
  const first = [manifest.entry, ...manifest.preload, manifest.style];
  for (const [name, scripts] of Object.entries(manifest.pages))
    expect([name, weight([...first, ...scripts])]).toSatisfy(([, size]: [string, number]) => size <= 130 * KILOBYTE);
});

test("the client for browsers is at most 4 kB", async () => {
  const input = fileURLToPath(new URL("../../client/src/index.ts", import.meta.url));
  const bundle = await rolldown({ input, platform: "browser", resolve: { conditionNames: ["@signalbox/source"] } });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  expect(output).toHaveLength(1);
  expect(gzipSync(output[0].code, { level: 9 }).byteLength).toBeLessThanOrEqual(4 * KILOBYTE);
});
