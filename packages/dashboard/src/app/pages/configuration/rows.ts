import { isRecord } from "../../data/records/is-record.ts";
import { SETTINGS } from "./settings.ts";

/** One setting: what it means, what it would be by itself, what it is. */
export interface Setting {
  readonly path: string;
  readonly meaning: string;
  readonly fallback: string;
  readonly value: unknown;
  /** Set while running, so that it wins over what the host gave. */
  readonly isSet: boolean;
}

type Tree = Readonly<Record<string, unknown>>;

/** A member by its dotted path; names may hold dots themselves. */
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
  // Texts are shown without their quotes, as their values are.
  .map(([path, fallback = "", meaning]) => [
    path,
    /^"[^"]*"$/.test(fallback) ? String(JSON.parse(fallback)) : fallback,
    meaning,
  ]);

/** Paths of the rest of the tree: settings of plugins, and settings unknown to the engine. */
function unknownPaths(tree: Tree, known: readonly string[], prefix = ""): readonly string[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = prefix + name;
    if (known.some((one) => one === path || path.startsWith(`${one}.`))) return [];
    const isSection = known.some((one) => one.startsWith(`${path}.`));
    return isSection && isRecord(value) ? unknownPaths(value, known, `${path}.`) : [path];
  });
}

/** Every setting with its value in force. */
export function settingsOf(config: Tree, overrides: Tree): readonly Setting[] {
  const known = KNOWN.map(([path = ""]) => path);
  const rowOf = (path: string, fallback = "", meaning = ""): Setting => ({
    ...{ path, fallback, meaning, value: valueAt(config, path) },
    isSet: valueAt(overrides, path) !== undefined,
  });
  return [
    ...KNOWN.map(([path = "", fallback, meaning]) => rowOf(path, fallback, meaning)),
    ...unknownPaths(config, known).map((path) => rowOf(path)),
  ];
}

/** A value as it is written: texts as they are, everything else as JSON. */
export const written = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** A value as it is edited: a record on lines of its own. */
export const editable = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value, null, 2) : written(value);

/**
 * The entry as a value of the present kind; where there is no value yet, an entry that is no JSON is a text. Throws for JSON that
 * cannot be read.
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
