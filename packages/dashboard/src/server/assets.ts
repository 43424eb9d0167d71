import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { publishedFile } from "@signalbox/core/adapter";

/** The files of a build. */
interface Manifest {
  readonly entry: string;
  /** Other scripts that every page loads. */
  readonly preload: readonly string[];
  readonly style: string;
  /** All scripts of each page, by the name of its folder. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
  /** Patterns of addresses below the mount, each with the name of a page's folder; the first match counts. */
  readonly routes: readonly (readonly [pattern: string, page: string])[];
}

export interface Asset {
  readonly type: string;
  /**
   * Reads the file on each call, because most hosts never serve most pages. Rejects if another version was installed
   * meanwhile.
   */
  bytes(): Promise<Buffer<ArrayBuffer>>;
  /** The gzipped file: read and compressed on first use, then cached. */
  packed(): Promise<Buffer<ArrayBuffer>>;
}

export interface Assets {
  readonly manifest: Manifest;
  get(name: string): Asset | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};
const MANIFEST = { package: "@signalbox/dashboard", inside: "dist/assets/manifest.json" } as const;
/** Path of the manifest, relative to the sources or to the published file. */
const placeOf = (from: string): string =>
  from.endsWith(".ts") ? "../../dist/assets/manifest.json" : "../dist/assets/manifest.json";

/** Reads the manifest of the build. Throws `Error` if the pages have not been built. */
export function readAssets(): Assets {
  try {
    return assetsOf(publishedFile(import.meta.url, { ...MANIFEST, beside: placeOf(String(import.meta.url)) }));
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`The pages of the dashboard are not there: ${message} In a clone: npm run assets`, { cause });
  }
}

/** The files in the folder of a manifest. */
export function assetsOf(manifest: URL): Assets {
  const text = readFileSync(manifest, "utf8");
  const folder = new URL(".", manifest);
  const names = readdirSync(folder).filter((name) => name !== "manifest.json");
  const assets = new Map(names.map((name) => [name, assetOf(new URL(name, folder), name)]));
  return { manifest: JSON.parse(text) as Manifest, get: (name) => assets.get(name) };
}

function assetOf(file: URL, name: string): Asset {
  const bytes = (): Promise<Buffer<ArrayBuffer>> => readFile(file);
  let packed: Promise<Buffer<ArrayBuffer>> | undefined;
  const pack = async (): Promise<Buffer<ArrayBuffer>> => {
    try {
      return await promisify(gzip)(await bytes(), { level: 9 });
    } catch (error) {
      packed = undefined;
      throw error;
    }
  };
  return {
    bytes,
    type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    packed: () => (packed ??= pack()),
  };
}
