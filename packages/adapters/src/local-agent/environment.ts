import { membersOf, textOrNothing } from "@signalbox/core/adapter";
export type Environment = Readonly<Record<string, string>>;

export interface EnvironmentSource {
  /** Variables of this process that jobs may see. */
  readonly inherited: Environment;
  readonly agent: Environment;
  readonly job: Readonly<Record<string, unknown>>;
  readonly details: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
  /** XYOPS, JOB_ID and so on. */
  readonly facts: Environment;
  /** USER, HOME and so on of the user the job runs as. */
  readonly account: Environment;
}

export const COMMON_FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
/** The kernel refuses to start a process with a variable of 128 KiB or more. */
const MAX_VALUE_BYTES = 131_000;
const MAX_TOTAL_BYTES = 1_000_000;
/** What the kernel counts for a variable besides name and value: the equals sign, the final zero byte and a pointer. */
const BYTES_OF_ONE = 10;

/** The environment that a job starts from: the host's variables, the common folders in PATH, and the user of this process. */
export function inheritedEnvironment(
  given: Environment,
  account: { username: string; homedir: string; shell: string | null },
): Environment {
  const { username, homedir, shell } = account;
  const own = { USER: username, LOGNAME: username, HOME: homedir, ...(shell ? { SHELL: shell } : {}) };
  if (process.platform === "win32") return { ...own, ...given };
  const folders = (given["PATH"] ?? "").split(":").filter(Boolean);
  return { ...own, ...given, PATH: [...new Set([...folders, ...COMMON_FOLDERS])].join(":") };
}

export interface BuiltEnvironment {
  readonly env: Environment;
  /** Names of variables that are too large for the kernel. */
  readonly leftOut: readonly string[];
}

/**
 * Environment of a job; later layers override earlier ones (docs/contract/satellites.md#environment). A value too large for the
 * kernel is left out together with the values of earlier layers: the plugin finds it in its input, and must not use another value
 * instead.
 */
export function buildEnvironment(source: EnvironmentSource): BuiltEnvironment {
  const { job, details } = source;
  const workflow = membersOf(job["workflow"]);
  const layers: [string, unknown][] = [
    ...Object.entries(source.inherited),
    ...Object.entries(source.agent),
    ...Object.entries(membersOf(job["env"])),
    ...Object.entries(source.secrets),
    ...Object.entries(source.facts),
    ...Object.entries(source.account),
    ...named("", job["params"]),
    ...named("workflow_", workflow["params"]),
    ...named("workflow_data_", details["workflowData"]),
    ...named("server_data_", details["serverData"]),
    ...named("data_", membersOf(details["input"])["data"]),
  ];
  const latest = new Map(layers.map(([name, value]) => [name, textOrNothing(value)]));
  const env: Record<string, string> = {};
  const leftOut: string[] = [];
  let room = MAX_TOTAL_BYTES;
  for (const [name, text] of latest) {
    const bytes = Buffer.byteLength(text);
    const size = Buffer.byteLength(name) + bytes + BYTES_OF_ONE;
    const isFitting = bytes <= MAX_VALUE_BYTES && size <= room;
    if (!isFitting || !/^[^=\0]+$/.test(name) || text.includes("\0")) leftOut.push(name);
    else {
      room -= size;
      env[name] = text;
    }
  }
  return { env, leftOut };
}

const MAX_NAMED = 10;

/** A line for the meta log about variables that a job does not get; undefined when it gets all of them. */
export function leftOutText(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, MAX_NAMED).map((name) => name.slice(0, 100));
  const rest = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  return `WARNING: Variables left out of the environment, as they are too large or no text: ${shown.join(", ")}${rest}`;
}

function named(prefix: string, value: unknown): [string, unknown][] {
  return Object.entries(membersOf(value)).map(([name, each]) => [prefix + name.replaceAll(/\W+/g, "_"), each]);
}
