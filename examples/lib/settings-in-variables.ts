import type { Variables } from "./secret-environment.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Whether a variable holds one setting of the configuration: `SIGNALBOX_client__name`, or in the form of xyOps
 * `XYOPS_client__name`. The variables of the server itself and of other programs are all capitals.
 */
export const isSetting = (name: string): boolean => /^(?:SIGNALBOX|XYOPS)_(?=\w*[a-z])\w+$/.test(name);

/** Names that look like settings but are not: administrators may read the configuration. */
const OTHERS: ReadonlySet<string> = new Set(["secret_key", "recover_admin"]);

/** Names of the non-empty variables that hold a setting; for the same setting ours comes last and wins. */
export const settingsIn = (variables: Variables): readonly string[] =>
  Object.keys(variables)
    .filter((name) => isSetting(name) && variables[name] && !OTHERS.has(keyOf(name)))
    .toSorted((a, b) => Number(a.startsWith("SIGNALBOX_")) - Number(b.startsWith("SIGNALBOX_")));

/** The secret key, if it is given as a setting. */
export const secretKeyIn = (variables: Variables): string | undefined =>
  variables["SIGNALBOX_secret_key"] || variables["XYOPS_secret_key"] || undefined;

/** An administrator that a start creates or repairs. */
export interface Recovery {
  readonly username: string;
  readonly password: string;
}

/** Reads `recover_admin`. Throws `Error` with one sentence, without the password. */
export function recoveryIn(variables: Variables): Recovery | undefined {
  const name = ["SIGNALBOX_recover_admin", "XYOPS_recover_admin"].find((each) => variables[each]);
  if (name === undefined) return undefined;
  const [, username, password] = /^([\w\-.]{1,64}):(.+)$/s.exec(variables[name] ?? "") ?? [];
  if (username === undefined || password === undefined)
    throw new Error(`${name} must be a name, a colon and a password`);
  return { username, password };
}

/** Dotted key of the setting that a variable holds. */
export const keyOf = (name: string): string => name.replace(/^[A-Z]+_/, "").replaceAll("__", ".");

/** The configuration, overridden by the settings in variables. Throws `Error` with one sentence. */
export function withSettings(config: Members, variables: Variables): Members {
  let settled = config;
  for (const name of settingsIn(variables)) {
    const path = keyOf(name).split(".");
    if (path.some((part) => part === "" || part in Object.prototype)) throw new Error(`${name} names no setting`);
    settled = put(settled, path, readValue(variables[name] ?? ""));
  }
  return settled;
}

function put(members: Members, [first = "", ...rest]: readonly string[], value: unknown): Members {
  if (rest.length === 0) return { ...members, [first]: value };
  const inner = members[first];
  const below = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? (inner as Members) : {};
  return { ...members, [first]: put(below, rest, value) };
}

/** Parses numbers, booleans, lists and objects as JSON; anything else is text. */
function readValue(text: string): unknown {
  if (!/^(?:true|false|-?\d+(?:\.\d+)?|\[.*\]|\{.*\})$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
