import { termsOf } from "../../parts/query/terms.ts";

/** Members of an event that filters read. */
export interface Filtered {
  readonly id: string;
  readonly title: string;
  readonly notes?: string | null | undefined;
  readonly category: string;
  readonly plugin: string;
  readonly type?: string | null | undefined;
  readonly enabled?: unknown;
  readonly tags?: readonly string[] | null | undefined;
  readonly targets?: readonly string[] | undefined;
}

/** State of an event that is not part of its record. */
export interface Known {
  readonly isFailing: boolean;
  readonly isRunning: boolean;
}

const IS: Readonly<Record<string, (event: Filtered, known: Known) => boolean>> = {
  on: ({ enabled }) => Boolean(enabled),
  off: ({ enabled }) => !enabled,
  failed: (_event, { isFailing }) => isFailing,
  running: (_event, { isRunning }) => isRunning,
  workflow: ({ type }) => type === "workflow",
};

const FIELDS: Readonly<Record<string, (event: Filtered, value: string, known: Known) => boolean>> = {
  category: ({ category }, value) => category === value,
  plugin: ({ plugin }, value) => plugin === value,
  tag: ({ tags }, value) => Boolean(tags?.includes(value)),
  server: ({ targets = [] }, value) => targets.includes(value),
  is: (event, value, known) => Object.hasOwn(IS, value) && IS[value]?.(event, known) === true,
};

const holds = ({ id, title, notes }: Filtered, word: string): boolean =>
  [id, title, notes ?? ""].some((text) => text.toLowerCase().includes(word.toLowerCase()));

/** True if an event matches every term of a query. A minus before a field negates it; an unknown field matches nothing. */
export function fits(event: Filtered, query: string, known: Known): boolean {
  return termsOf(query).every(({ field, value, text }) => {
    if (field === undefined) return holds(event, value.replaceAll('"', ""));
    const test = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
    return test !== undefined && test(event, value, known) !== text.startsWith("-");
  });
}
