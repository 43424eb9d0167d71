import { readFile } from "node:fs/promises";
import type { ConfigInput, Storage } from "@signalbox/core";
import { memoryStorage } from "@signalbox/core";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";

/** Everything the stand-alone server reads from its environment. */
export interface Environment {
  readonly port: number;
  readonly host: string;
  readonly secretKey: string;
  readonly administratorKey: string | undefined;
  readonly dataDir: string;
  readonly storage: string;
  readonly config: ConfigInput;
}

/** Throws `Error` with one clear sentence for a missing or malformed variable. */
export async function readEnvironment(env: Readonly<Record<string, string | undefined>>): Promise<Environment> {
  const dataDir = env["SIGNALBOX_DATA_DIR"] ?? "./data";
  const port = Number(env["SIGNALBOX_PORT"] ?? 5522);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error("SIGNALBOX_PORT must be a whole number from 0 to 65535");
  const secretKey = env["SIGNALBOX_SECRET_KEY"] ?? "";
  if (secretKey.length < 16) throw new Error("SIGNALBOX_SECRET_KEY must be set and have at least 16 characters");
  const administratorKey = env["SIGNALBOX_ADMIN_KEY"];
  if (administratorKey !== undefined && administratorKey.length < 24)
    throw new Error("SIGNALBOX_ADMIN_KEY must have at least 24 characters");
  return {
    port,
    host: env["SIGNALBOX_HOST"] ?? "127.0.0.1",
    secretKey,
    administratorKey,
    dataDir,
    storage: env["SIGNALBOX_STORAGE"] ?? `sqlite:${dataDir}/signalbox.sqlite`,
    config: await readConfig(env["SIGNALBOX_CONFIG"]),
  };
}

/** Inline JSON, or the path of a JSON file. */
async function readConfig(given: string | undefined): Promise<ConfigInput> {
  if (!given) return {};
  const text = given.trimStart().startsWith("{") ? given : await readFile(given, "utf8");
  try {
    return JSON.parse(text) as ConfigInput;
  } catch (cause) {
    throw new Error("SIGNALBOX_CONFIG is neither JSON nor the path of a JSON file", { cause });
  }
}

/** `sqlite:path`, `postgres://…` or `memory:`. */
export function openStorage(address: string): Storage {
  if (address.startsWith("sqlite:")) return sqliteStorage({ filename: address.slice("sqlite:".length) });
  if (/^postgres(ql)?:\/\//.test(address)) return pgStorage({ connectionString: address });
  if (address === "memory:") return memoryStorage();
  throw new Error("SIGNALBOX_STORAGE must start with sqlite:, postgres:// or memory:");
}
