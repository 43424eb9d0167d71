import { readdirSync, readFileSync } from "node:fs";
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
const MANIFEST = { package: "@signalbox/dashboard", inside: "dist/assets/manifest.json" } as const;
/** The same place seen from the sources and from the published file. */
const placeOf = (from: string): string =>
  from.endsWith(".ts") ? "../../dist/assets/manifest.json" : "../dist/assets/manifest.json";

/** Reads what the build made; throws `Error` when nobody has built. */
export function readAssets(): Assets {
  let file: URL;
  let text: string;
  try {
    file = publishedFile(import.meta.url, { ...MANIFEST, beside: placeOf(String(import.meta.url)) });
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error("The pages of the dashboard are not there. In a clone: npm run assets", { cause });
  }
  const folder = new URL(".", file);
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
