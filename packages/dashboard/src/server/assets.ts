import { readdirSync, readFileSync } from "node:fs";
import { gzip } from "node:zlib";

/** What the build wrote about itself. */
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
  readonly bytes: Buffer<ArrayBuffer>;
  /** Packed once, when it is asked for first. */
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
/** The same place seen from the sources and from the published file. */
const FOLDER = new URL("../dist/assets/", import.meta.url);
const FROM_SOURCES = new URL("../../dist/assets/", import.meta.url);

/** Reads what the build made; throws `Error` when nobody has built. */
export function readAssets(): Assets {
  const folder = import.meta.url.endsWith(".ts") ? FROM_SOURCES : FOLDER;
  let text: string;
  try {
    text = readFileSync(new URL("manifest.json", folder), "utf8");
  } catch (cause) {
    throw new Error("The pages of the dashboard have not been built: npm run assets", { cause });
  }
  const names = readdirSync(folder).filter((name) => name !== "manifest.json");
  const assets = new Map(names.map((name) => [name, assetOf(new URL(name, folder), name)]));
  return { manifest: JSON.parse(text) as Manifest, get: (name) => assets.get(name) };
}

function assetOf(file: URL, name: string): Asset {
  const bytes = readFileSync(file);
  let packed: Promise<Buffer<ArrayBuffer>> | undefined;
  return {
    bytes,
    type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    packed: () => (packed ??= pack(bytes)),
  };
}

const pack = (bytes: Buffer): Promise<Buffer<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    gzip(bytes, { level: 9 }, (error, packed) => (error ? reject(error) : resolve(packed as Buffer<ArrayBuffer>)));
  });
