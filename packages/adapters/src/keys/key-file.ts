import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { checkOptions, type KeyProvider, type OptionRules, optional, requiredText } from "@signalbox/core/adapter";
import { renameDurably, syncFolders, writeDurably } from "../blobs/fs/fs-durable.ts";
import { isMissing } from "../blobs/fs/fs-keys.ts";

export interface KeyFileOptions {
  /** File with one key per line, the current one first. Its folder is created; only this user can read the file. */
  readonly filename: string;
  /** Keys of a new file, the current one first; default: one random key. */
  readonly initial?: readonly string[];
}

const RULES: OptionRules<KeyFileOptions> = { filename: requiredText, initial: optional };
const KEY_BYTES = 32;

async function readKeys(filename: string): Promise<readonly string[]> {
  const keys = (await readFile(filename, "utf8")).split(/\r?\n/).filter((line) => line !== "");
  if (keys.length === 0) throw new Error(`The file of secret keys is empty: ${filename}`);
  return keys;
}

/**
 * Keeps the secret keys in a file that belongs to the engine, so that `admin_rotate_secret_key` can change them. All processes of
 * an installation must use the same file. A key is flushed to the file before anything is sealed with it. A file that disappears
 * while in use is not created again.
 *
 * @example createSignalbox({ storage, keyProvider: keyFile({ filename: "data/secret.keys" }) });
 */
export function keyFile(options: KeyFileOptions): Required<KeyProvider> {
  checkOptions("keyFile", options, RULES);
  const { filename, initial } = options;
  let wasThere = false;

  /** Uses a unique name, because a process that was killed or runs at the same time may have left such a file. */
  async function write(keys: readonly string[]): Promise<string> {
    const fresh = `${filename}.${randomBytes(6).toString("hex")}.new`;
    await mkdir(dirname(filename), { recursive: true });
    await writeDurably(fresh, text(keys));
    return fresh;
  }

  async function make(): Promise<readonly string[]> {
    const keys = initial ?? [randomBytes(KEY_BYTES).toString("base64url")];
    const made = await mkdir(dirname(filename), { recursive: true });
    const fresh = await write(keys);
    try {
      // Unlike a renaming this fails when another process was faster; then its keys count.
      await link(fresh, filename);
      // A power failure must not lose the name of a file whose keys have sealed something.
      await syncFolders(dirname(filename), made);
      return keys;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return readKeys(filename);
    } finally {
      await rm(fresh, { force: true });
    }
  }

  return {
    async keys() {
      const keys = await readKeys(filename).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
        // Secrets are sealed with the keys in the lost file, and a new key could open none of them.
        if (wasThere) throw new Error(`The file of secret keys is gone: ${filename}`, { cause: error });
        return make();
      });
      wasThere = true;
      return keys;
    },
    async keep(keys) {
      await renameDurably(await write(keys), filename);
    },
  };
}

async function* text(keys: readonly string[]): AsyncIterable<Uint8Array> {
  yield Buffer.from(keys.map((key) => `${key}\n`).join(""));
}
