import { isRecord } from "../../data/records/is-record.ts";
import { SETTINGS } from "./settings.ts";

/** One setting: its meaning, its default and its value. */
export interface Setting {
  readonly path: string;
  readonly meaning: string;
  readonly fallback: string;
  readonly value: unknown;
  /** Overridden at runtime; takes precedence over the host's value. */
  readonly isSet: boolean;
}

type Tree = Readonly<Record<string, unknown>>;

/** Reads a member by its dotted path. Names may contain dots themselves. */
export function valueAt(tree: unknown, path: string): unknown {
  if (!isRecord(tree)) return undefined;
  if (Object.hasOwn(tree, path)) return tree[path];
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const name = path.slice(0, dot);
    if (Object.hasOwn(tree, name)) return valueAt(tree[name], path.slice(dot + 1));
  }
  return undefined;
}

const KNOWN = SETTINGS.trim()
  .split("\n")
  .map((line) => line.split("\t"))
  // Strips the quotes of default texts, because values are shown without quotes too.
  .map(([path, fallback = "", meaning]) => [
    path,
    /^"[^"]*"$/.test(fallback) ? String(JSON.parse(fallback)) : fallback,
    meaning,
  ]);

/** Paths that are in the tree but not in `known`: settings of plugins, and settings that the engine does not know. */
function unknownPaths(tree: Tree, known: readonly string[], prefix = ""): readonly string[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = prefix + name;
    if (known.some((one) => one === path || path.startsWith(`${one}.`))) return [];
    const isSection = known.some((one) => one.startsWith(`${path}.`));
    return isSection && isRecord(value) ? unknownPaths(value, known, `${path}.`) : [path];
  });
}

/** Every setting with its effective value. */
export function settingsOf(config: Tree, overrides: Tree): readonly Setting[] {
  const known = KNOWN.map(([path = ""]) => path);
  const rowOf = (path: string, fallback = "", meaning = ""): Setting => ({
    path,
    fallback,
    meaning,
    value: valueAt(config, path),
    isSet: valueAt(overrides, path) !== undefined,
  });
  return [
    ...KNOWN.map(([path = "", fallback, meaning]) => rowOf(path, fallback, meaning)),
    ...unknownPaths(config, known).map((path) => rowOf(path)),
  ];
}

/** A value as shown: text as it is, everything else as JSON. */
export const written = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** A value as edited: objects are spread over several lines. */
export const editable = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value, null, 2) : written(value);

/**
 * Parses the entry into a value of the current type. If there is no value yet, an entry that is not JSON is taken as
 * text. Throws `SyntaxError` for invalid JSON otherwise.
 */
export function readAs(text: string, now: unknown): unknown {
  if (typeof now === "string") return text;
  try {
    return JSON.parse(text);
  } catch (fault) {
    if (now === undefined) return text;
    throw fault;
  }
}
