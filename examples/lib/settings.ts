import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export interface QuickStartSettings {
  readonly dataDir: string;
  readonly secretKey: string;
  readonly administratorKey: string;
  /** Password of the user `admin`; absent in files of older demonstrations. */
  readonly administratorPassword?: string;
  /** File in which the keys are kept. */
  readonly keyFile: string;
}

/** Creates the demonstration's keys on its first start and keeps them beside its database, readable only by you. */
export async function quickStartSettings(): Promise<QuickStartSettings> {
  const project = join(dirname(fileURLToPath(import.meta.url)), "../..");
  const dataDir = resolve(process.env["SIGNALBOX_DATA_DIR"] || join(project, "data"));
  await mkdir(dataDir, { recursive: true });
  const keyFile = join(dataDir, "quick-start.json");
  const stored = await readFile(keyFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stored !== undefined) return { dataDir, keyFile, ...JSON.parse(stored) };
  const keys = {
    secretKey: randomBytes(24).toString("hex"),
    administratorKey: randomBytes(12).toString("hex"),
    administratorPassword: randomBytes(9).toString("base64url"),
  };
  await writeFile(keyFile, JSON.stringify(keys), { mode: 0o600, flag: "wx" });
  return { dataDir, keyFile, ...keys };
}
