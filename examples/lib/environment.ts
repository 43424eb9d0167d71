import { readFile } from "node:fs/promises";
import type { LocalAgentOptions } from "@signalbox/adapters/local-agent";
import { parseSmtpUrl, type SmtpServerOptions } from "@signalbox/adapters/mail";
import { type ConfigInput, type Logger, memoryStorage } from "@signalbox/core";
import { type Config, configSchema } from "@signalbox/core/plugin";
import type { Storage } from "@signalbox/core/storage";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { type BlobAddress, readBlobAddress } from "./blobs.ts";
import { SECRET_VARIABLES, type Variables } from "./secret-environment.ts";
import { withSecretFiles } from "./secret-files.ts";
import {
  isSetting,
  keyOf,
  type Recovery,
  recoveryIn,
  secretKeyIn,
  settingsIn,
  withSettings,
} from "./settings-in-variables.ts";

/** Everything the stand-alone server reads from its environment. */
export interface Environment {
  readonly port: number;
  readonly host: string;
  /** True when other machines may call but nothing says by which name: links in messages then work only on this machine. */
  readonly isNameless: boolean;
  /** Id of this machine as a server; absent = `local`. */
  readonly serverId: string | undefined;
  /** The current key first, then the keys that older secrets may still be sealed with; empty = the key store has them. */
  readonly secretKeys: readonly string[];
  /** File in which the server keeps its keys, and changes them on request; absent = only the keys above. */
  readonly keyStore: string | undefined;
  readonly administratorKey: string | undefined;
  readonly administratorPassword: string | undefined;
  readonly recovery: Recovery | undefined;
  readonly dataDir: string;
  /** Folder of the logs that administrators may search; undefined = standard output only. */
  readonly logDir: string | undefined;
  readonly storage: StorageAddress;
  readonly blobs: BlobAddress;
  /** SMTP server for mails; absent = mails go to the log. It may hold a password. */
  readonly smtp: SmtpServerOptions | undefined;
  readonly config: ConfigInput;
  /** Variables with our prefix that nothing reads, such as misspelt ones. */
  readonly unread: readonly string[];
}

export interface StorageAddress {
  readonly kind: "sqlite" | "postgres" | "memory";
  /** File name or connection string; the latter may hold a password. */
  readonly location: string;
  /** True = SQLite keeps less of its file in memory. */
  readonly isSmall?: boolean;
}

/** Throws `Error` with one clear sentence for a missing or malformed variable; the sentence never contains a secret. */
export async function readEnvironment(given: Variables): Promise<Environment> {
  const env = await withSecretFiles(given);
  // Containers pass empty variables for settings that are not set.
  const known = new Set<string>(["SIGNALBOX_URL", ...SECRET_VARIABLES.flatMap((name) => [name, `${name}_FILE`])]);
  const read = (name: string): string | undefined => {
    known.add(`SIGNALBOX_${name}`);
    return env[`SIGNALBOX_${name}`] || undefined;
  };
  const dataDir = read("DATA_DIR") ?? "./data";
  const host = read("HOST") ?? "127.0.0.1";
  const port = readPort(read("PORT") ?? "5522");
  const serverId = readServerId(read("SERVER_ID"));
  const keyStore = read("KEY_STORE");
  const secretKeys = readSecretKeys(
    read("SECRET_KEY") ?? secretKeyIn(env),
    read("PREVIOUS_SECRET_KEYS"),
    keyStore !== undefined,
  );
  const administratorKey = read("ADMIN_KEY");
  if (administratorKey !== undefined && !/^[!-~]{24,256}$/.test(administratorKey))
    throw new Error("SIGNALBOX_ADMIN_KEY must have 24 to 256 characters, all of them visible ASCII");
  const administratorPassword = read("ADMIN_PASSWORD");
  // The storage reads it as well.
  const isSmall = read("MEMORY") === "small";
  if (!isSmall && read("MEMORY") !== undefined) throw new Error("SIGNALBOX_MEMORY must be small, or not set");
  const address = readStorage(read("STORAGE") ?? `sqlite:${dataDir}/signalbox.sqlite`, env["PGPASSWORD"]);
  const storage = isSmall ? { ...address, isSmall } : address;
  const blobs = readBlobAddress(read("BLOBS"), dataDir, env);
  const config = withSatelliteHost(await readConfig(read("CONFIG"), env), read("SATELLITE_HOST"));
  // With port 0 the port is known too late for links in messages; operators who need links set the address.
  const ownAddress = port === 0 ? {} : { base_app_url: `http://${nameOf(host)}:${port}` };
  const administrator = { administratorKey, administratorPassword, recovery: recoveryIn(env) };
  const smtp = readSmtp(read("SMTP"));
  const logDir = read("LOG_DIR") ?? `${dataDir}/logs`;
  return {
    port,
    host,
    serverId,
    secretKeys,
    keyStore,
    ...administrator,
    dataDir,
    logDir: logDir === "none" ? undefined : logDir,
    storage,
    blobs,
    smtp,
    isNameless: isEverywhere(host) && config.base_app_url === undefined,
    config: { ...ownAddress, ...config, web_hooks: { allow: NEIGHBOURS, ...config.web_hooks } },
    unread: Object.keys(given).filter((name) => /^SIGNALBOX_/.test(name) && !known.has(name) && !isSetting(name)),
  };
}

/** True when the host stands for all addresses of this machine. */
const isEverywhere = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** The host as part of an address: browsers cannot open the address of all interfaces. */
function nameOf(host: string): string {
  if (isEverywhere(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function readServerId(id: string | undefined): string | undefined {
  if (id === undefined || /^[a-z0-9_]{1,64}$/.test(id)) return id;
  throw new Error("SIGNALBOX_SERVER_ID must have 1 to 64 lower case letters, digits and underscores");
}

/** Satellites reconnect to this name, unless the configuration itself names one. */
function withSatelliteHost(config: ConfigInput, host: string | undefined): ConfigInput {
  const { satellite = {} } = config;
  return host === undefined
    ? config
    : { ...config, satellite: { ...satellite, config: { host, ...satellite.config } } };
}

function readSecretKeys(current = "", previous = "", isKept: boolean): Environment["secretKeys"] {
  if (isKept && current === "") return [];
  if (current.length < 16) throw new Error("SIGNALBOX_SECRET_KEY must be set and have at least 16 characters");
  const older = previous.split(/\s+/).filter((key) => key !== "");
  if (older.some((key) => key.length < 16))
    throw new Error("SIGNALBOX_PREVIOUS_SECRET_KEYS must hold keys of at least 16 characters, separated by blanks");
  return [current, ...older];
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error("SIGNALBOX_PORT must be a whole number from 0 to 65535");
}

function readSmtp(address: string | undefined): SmtpServerOptions | undefined {
  try {
    return address === undefined ? undefined : parseSmtpUrl(address);
  } catch (error) {
    throw new Error(`SIGNALBOX_SMTP ${(error as Error).message}`, { cause: error });
  }
}

/** `sqlite:path`, `postgres://…` or `memory:`. */
function readStorage(address: string, password: string | undefined): StorageAddress {
  if (address === "memory:") return { kind: "memory", location: "" };
  if (/^postgres(ql)?:\/\//.test(address) && URL.canParse(address))
    return { kind: "postgres", location: withPassword(address, password) };
  if (/^postgres(ql)?:\/\//.test(address))
    throw new Error(
      "SIGNALBOX_STORAGE cannot be read: in a password signs like / # ? stand as %2F %23 %3F, or set PGPASSWORD",
    );
  if (/^sqlite:./.test(address)) return { kind: "sqlite", location: address.slice("sqlite:".length) };
  throw new Error("SIGNALBOX_STORAGE must be sqlite: and a path, a postgres:// address, or memory:");
}

/** As everywhere in PostgreSQL, `PGPASSWORD` applies when the address names a user but no password. */
function withPassword(address: string, password: string | undefined): string {
  const url = new URL(address);
  if (!password || url.password !== "" || url.username === "") return address;
  url.password = encodeURIComponent(password);
  return url.href;
}

/**
 * Targets of web hooks and of requests by jobs in addition to public ones: a self-hosted server reports to its neighbours. A list
 * in the configuration replaces this one, also one that is set while the server runs.
 */
const NEIGHBOURS = ["loopback", "private"];

/** Targets of requests by jobs, the same as for web hooks, from the current configuration. */
export function httpAccess(
  live: () => Pick<Config, "airgap" | "web_hooks">,
): Required<Pick<LocalAgentOptions, "httpTargets">> {
  return {
    httpTargets() {
      const { airgap, web_hooks } = live();
      const { enabled, whitelist, blacklist } = airgap;
      const allow = [...web_hooks.allow, ...(web_hooks.allow_link_local ? ["link-local", "metadata"] : [])];
      return { allow, ...(enabled ? { airGap: { whitelist, blacklist } } : {}) };
    },
  };
}

/** Loads the PostgreSQL driver only where it is used. */
export async function openStorage({ kind, location, isSmall }: StorageAddress, log: Logger): Promise<Storage> {
  if (kind === "memory") return memoryStorage();
  if (kind === "sqlite") return sqliteStorage({ filename: location, log, ...(isSmall ? { memory: "small" } : {}) });
  const { pgStorage } = await import("@signalbox/storage-pg");
  return pgStorage({ connectionString: location, log });
}

/** Inline JSON, or the path of a JSON file; settings in individual variables override it. */
async function readConfig(given: string | undefined, variables: Variables): Promise<ConfigInput> {
  const config = withSettings(await readJson(given), variables);
  const { success, error } = configSchema.safeParse(config);
  if (success) return config as ConfigInput;
  const [issue] = error.issues;
  const path = issue?.path.join(".") || "(root)";
  const named = settingsIn(variables).findLast((name) => keyOf(name) === path);
  throw new Error(`${named ?? `SIGNALBOX_CONFIG ${path}`}: ${issue?.message ?? "malformed"}`);
}

async function readJson(given: string | undefined): Promise<Readonly<Record<string, unknown>>> {
  if (given === undefined) return {};
  const isInline = /^\s*[{[]/.test(given);
  return parseJson(isInline ? given : await readText(given), isInline ? "" : ` in ${given}`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`SIGNALBOX_CONFIG names a file that cannot be read (${code}): ${path}`, { cause });
  }
}

function parseJson(text: string, where: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    // Without the parser's message: it quotes the text, which may hold secrets.
    throw new Error(`SIGNALBOX_CONFIG is not valid JSON${where}`);
  }
}
