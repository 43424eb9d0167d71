import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkOptions, type Documents, type OptionRules, optionalText } from "@signalbox/core/adapter";

export interface ManualOptions {
  /** Folder of Markdown files, those of folders inside included. Default: our own guides and contract, as published. */
  readonly folder?: string;
}

const RULES: OptionRules<ManualOptions> = { folder: optionalText };
/** Published beside this module; run from source, in the repository. */
const PLACES = ["./manual", "../../../../docs"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const SHOWN = /^(?:guide|contract|reference)\//;

/**
 * The documentation for `get_doc` and `search_docs`.
 * @example createSignalbox({ storage, secretKey, documents: manual() });
 */
export function manual(options: ManualOptions = {}): Documents {
  checkOptions("manual", options, RULES);
  const { folder } = options;
  return {
    async list() {
      const names = await namesIn(folder === undefined ? PLACES : [folder]);
      return folder === undefined ? names.filter((name) => SHOWN.test(name)) : names;
    },
    async read(name) {
      for (const place of folder === undefined ? PLACES : [folder]) {
        const text = await orMissing(readFile(join(place, `${name}.md`), "utf8"));
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

/** Of the first folder that there is. */
async function namesIn(places: readonly string[]): Promise<string[]> {
  for (const place of places) {
    const entries = await orMissing(readdir(place, { recursive: true }));
    if (entries === undefined) continue;
    const pages = entries.filter((entry) => entry.endsWith(".md") && !entry.includes("node_modules"));
    return pages.map((entry) => entry.replaceAll("\\", "/").slice(0, -".md".length)).toSorted();
  }
  return [];
}

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
