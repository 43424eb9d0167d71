import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { checkOptions, type Documents, type OptionRules, optionalText, publishedFile } from "@signalbox/core/adapter";

export interface ManualOptions {
  /** Folder of Markdown files, with the folders inside. Default: our own guides, contract and reference. */
  readonly folder?: string;
}

const RULES: OptionRules<ManualOptions> = { folder: optionalText };
const PACKED = {
  beside: "./manual.json.gz",
  package: "@signalbox/adapters",
  inside: "lib/documents/manual.json.gz",
} as const;
/** Folder of the documents in the repository, used when the sources run without a build. */
const sources = (): string => fileURLToPath(new URL("../../../../docs", import.meta.url));
const PARTS = /^(?:guide|contract|reference)\//;

/**
 * The documentation for `get_doc` and `search_docs`.
 * @example createSignalbox({ storage, secretKey, documents: manual() });
 */
export function manual(options: ManualOptions = {}): Documents {
  checkOptions("manual", options, RULES);
  return options.folder === undefined ? own() : folderOf(options.folder, () => true);
}

/** Unpacked on first use, because most processes never need it. */
function own(): Documents {
  let known: Promise<Documents> | undefined;
  const pages = (): Promise<Documents> => {
    known ??= unpack();
    return known;
  };
  return { list: async () => (await pages()).list(), read: async (name) => (await pages()).read(name) };
}

async function unpack(): Promise<Documents> {
  if (String(import.meta.url).endsWith(".ts")) return folderOf(sources(), (name) => PARTS.test(name));
  const packed = await readFile(publishedFile(import.meta.url, PACKED));
  const pages = new Map(Object.entries(JSON.parse(String(await promisify(gunzip)(packed))) as Record<string, string>));
  return { list: async () => [...pages.keys()], read: async (name) => pages.get(name) };
}

const folderOf = (folder: string, isShown: (name: string) => boolean): Documents => ({
  async list() {
    const entries = (await orMissing(readdir(folder, { recursive: true }))) ?? [];
    const files = entries.filter((entry) => entry.endsWith(".md"));
    return files
      .map((file) => file.replaceAll("\\", "/").slice(0, -".md".length))
      .filter(isShown)
      .toSorted();
  },
  read: (name) => orMissing(readFile(join(folder, `${name}.md`), "utf8")),
});

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
