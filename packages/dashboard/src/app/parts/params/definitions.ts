import type { Choice } from "../forms/fields.tsx";

/** A parameter that people fill in (docs/contract/parameters.md#definitions). */
export interface Definition {
  readonly id: string;
  readonly type: string;
  readonly title?: string | undefined;
  readonly value?: unknown;
  readonly variant?: string | null | undefined;
  readonly caption?: string | null | undefined;
  readonly required?: unknown;
  readonly locked?: unknown;
  readonly [member: string]: unknown;
}

export type Values = Readonly<Record<string, unknown>>;

/** Parses the choices of a menu: `Label [value], Other`. */
export function choicesOf({ value }: Pick<Definition, "value">): readonly Choice[] {
  if (typeof value !== "string") return [];
  const items = value.split(",").map((item) => item.trim());
  return items.filter(Boolean).map((item) => {
    const [, title, own] = /^(.*?)\s*\[([^\]]*)\]$/.exec(item) ?? [];
    return own === undefined ? { value: item, title: item } : { value: own, title: title || own };
  });
}

/** The value that applies until somebody chooses one. */
export function defaultOf(definition: Definition): unknown {
  const { type, value, multiple } = definition;
  if (type !== "select") return value;
  return multiple ? [] : choicesOf(definition)[0]?.value;
}

/** The chosen value of a definition, or its default. */
export const chosenOf = (definition: Definition, values: Values): unknown =>
  Object.hasOwn(values, definition.id) ? values[definition.id] : defaultOf(definition);

/** Types without a field. */
const SILENT: ReadonlySet<string> = new Set(["hidden", "group"]);
export const isAsked = ({ type }: Pick<Definition, "type">): boolean => !SILENT.has(type);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Ids of required questions without an answer. */
export const missing = (definitions: readonly Definition[], values: Values): readonly string[] =>
  definitions
    .filter((one) => Boolean(one.required) && isAsked(one) && isEmpty(chosenOf(one, values)))
    .map(({ id }) => id);
