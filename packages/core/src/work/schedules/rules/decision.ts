import { isObject } from "../../../lib/json/is-object.ts";

/** The answer of a scheduler plugin about one due job (docs/contract/plugins.md#scheduler-plugins). */
export interface Decision {
  readonly launch: boolean;
  /** Seconds after the due minute. */
  readonly delay?: number;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly invisible: boolean;
  readonly files: readonly unknown[];
}

/** Longest delay in seconds; a longer one is a mistake of the program. */
const MAX_DELAY = 366 * 86_400;

/** Reads one item of a plugin's answer. Its shape has been checked: a boolean or an object. */
export function readDecision(item: unknown): Decision {
  const { launch, delay, data, invisible, files } = isObject(item)
    ? item
    : ({ launch: item } as Readonly<Record<string, unknown>>);
  const seconds = typeof delay === "object" ? 0 : Number(delay);
  return {
    launch: Boolean(launch),
    ...(seconds > 0 ? { delay: Math.min(seconds, MAX_DELAY) } : {}),
    ...(isObject(data) ? { data: { ...data } } : {}),
    invisible: Boolean(invisible),
    files: Array.isArray(files) ? (files as readonly unknown[]) : [],
  };
}
