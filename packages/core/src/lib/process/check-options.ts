import { isObject } from "../json/is-object.ts";

/** A host passed an invalid option to a factory function; programs may test the `code`. */
export class OptionError extends TypeError {
  override readonly name = "TypeError";
  readonly code = "option";
}

/** Returns the fault of an option, as text that follows its name; undefined when the option is valid. */
export type OptionRule = (value: unknown, isThere: boolean) => string | undefined;

/** One rule per option; the type requires a rule for every option that is added later. */
export type OptionRules<T> = { readonly [K in keyof Required<T>]: OptionRule };

const unless = (complaint: string, holds: (value: unknown) => boolean): OptionRule => {
  return (value) => (holds(value) ? undefined : complaint);
};

/** Any value is valid; undefined means the default. */
export const optional: OptionRule = () => undefined;

/** May be absent, but not explicitly undefined: that is a variable without a value, whereas absence has a meaning of its own. */
export const given: OptionRule = (value, isThere) => (isThere && value === undefined ? "is undefined" : undefined);

/** Must be present and not undefined. */
export const required: OptionRule = (value) => given(value, true);

const text = unless("must be a text that is not empty", (value) => typeof value === "string" && value !== "");

/** May be absent; if present, it must be a text that is not empty. */
export const givenText: OptionRule = (value, isThere) =>
  isThere ? (required(value, true) ?? text(value, true)) : undefined;

/** Must be a text that is not empty. */
export const requiredText: OptionRule = (value) => givenText(value, true);

const optionally = (rule: OptionRule): OptionRule => {
  return (value, isThere) => (value === undefined ? undefined : rule(value, isThere));
};

/** A text that is not empty, or undefined. */
export const optionalText = optionally(text);

/** A positive number, or undefined. Infinity and NaN are refused, since they would be bounds that bound nothing. */
export const optionalPositive = optionally(
  unless("must be a positive number", (value) => typeof value === "number" && value > 0 && value < Infinity),
);

/** A positive whole number, or undefined. */
export const optionalCount = optionally(
  unless("must be a positive whole number", (value) => Number.isSafeInteger(value) && Number(value) > 0),
);

/** A whole number from 0, or undefined, where absence means something else than any number. */
export const optionalWhole = optionally(
  unless("must be a whole number, 0 or more", (value) => Number.isSafeInteger(value) && Number(value) >= 0),
);

/** True, false or undefined. */
export const optionalFlag = optionally(unless("must be true or false", (value) => typeof value === "boolean"));

/** One of the given words, or undefined. */
export const optionalOneOf = (...choices: readonly string[]): OptionRule =>
  optionally(
    unless(`must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`, (value) =>
      choices.includes(value as string),
    ),
  );

/** Describes the value that was passed instead of a part, and the remedy. */
function complaintAbout(value: unknown, example: string): string {
  if (value === undefined) return `is missing: give one, such as ${example}`;
  if (typeof value === "function")
    return `is the function ${value.name || "itself"}, which was not called: give what it makes, such as ${example}`;
  if (value instanceof Promise) return "is a promise: wait for it with await";
  return `is ${value === null ? "null" : `of the type ${typeof value}`} without what is needed of it: give one, such as ${example}`;
}

/** Must be an object with these methods; `example` is code that makes one. */
export const requiredPart =
  (example: string, ...methods: readonly string[]): OptionRule =>
  (value) => {
    const members = Object(value) as Readonly<Record<string, unknown>>;
    const isOne = typeof value === "object" && methods.every((name) => typeof members[name] === "function");
    return isOne ? undefined : complaintAbout(value, example);
  };

/** Like `requiredPart`, or undefined. */
export const optionalPart = (example: string, ...methods: readonly string[]): OptionRule =>
  optionally(requiredPart(example, ...methods));

/** A list, or undefined. */
export const optionalList = optionally(unless("must be a list: [ … ]", Array.isArray));

/**
 * Checks the options that a host passed to a factory function. A misspelt option would otherwise be ignored. Throws `TypeError`
 * with one sentence that names the option and never repeats a value.
 */
export function checkOptions<T extends object>(maker: string, options: T, rules: OptionRules<T>): void {
  if (!isObject(options))
    throw new OptionError(`${maker}: the options must be an object; it takes ${Object.keys(rules).join(", ")}`);
  for (const name of Object.keys(options))
    if (!Object.hasOwn(rules, name))
      throw new OptionError(
        `${maker}: there is no option ${JSON.stringify(name.slice(0, 50))}; it takes ${Object.keys(rules).join(", ")}`,
      );
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    const complaint = rule(options[name as keyof T], name in options);
    if (complaint !== undefined) throw new OptionError(`${maker}: ${name} ${complaint}`);
  }
}
