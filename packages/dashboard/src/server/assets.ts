import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { publishedFile } from "@signalbox/core/adapter";

/** The build's list of its own files. */
interface Manifest {
  readonly entry: string;
  /** Scripts that the first page loads as well. */
  readonly preload: readonly string[];
  readonly style: string;
  /** All scripts of each page, by its folder. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
}

export interface Asset {
  readonly type: string;
  /** Read with each call, since most hosts never show most pages. Fails when another version was installed meanwhile. */
  bytes(): Promise<Buffer<ArrayBuffer>>;
  /** Read and packed once, when it is asked for first. */
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
/** The same place seen from the sources and from the published file. */
const placeOf = (from: string): string =>
  from.endsWith(".ts") ? "../../dist/assets/manifest.json" : "../dist/assets/manifest.json";

/** Reads the list of what the build made; throws `Error` when nobody has built. */
export function readAssets(): Assets {
  try {
    return assetsOf(publishedFile(import.meta.url, { ...MANIFEST, beside: placeOf(String(import.meta.url)) }));
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`The pages of the dashboard are not there: ${message} In a clone: npm run assets`, { cause });
  }
}

/** The files beside a manifest. */
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
