/** The fault of an option, to be read after its name; undefined when there is none. */
export type OptionRule = (value: unknown, isThere: boolean) => string | undefined;

/** One rule for each option that there is; the type asks for the ones that are added later. */
export type OptionRules<T> = { readonly [K in keyof Required<T>]: OptionRule };

const unless = (complaint: string, holds: (value: unknown) => boolean): OptionRule => {
  return (value) => (holds(value) ? undefined : complaint);
};

/** Whatever it is, or undefined for its default. */
export const optional: OptionRule = () => undefined;

/** May be left out; but as its absence means something quite else, undefined is a variable that nobody has set. */
export const given: OptionRule = (value, isThere) => (isThere && value === undefined ? "is undefined" : undefined);

/** Must be given, and not as undefined. */
export const required: OptionRule = (value) => given(value, true);

const text = unless("must be a text that is not empty", (value) => typeof value === "string" && value !== "");

/** May be left out, yet not be given as something else than a text. */
export const givenText: OptionRule = (value, isThere) =>
  isThere ? (required(value, true) ?? text(value, true)) : undefined;

/** Must be given, as a text that is not empty. */
export const requiredText: OptionRule = (value) => givenText(value, true);

const optionally = (rule: OptionRule): OptionRule => {
  return (value, isThere) => (value === undefined ? undefined : rule(value, isThere));
};

/** A text that is not empty, or undefined. */
export const optionalText = optionally(text);

/** Numbers that are none would be bounds that bound nothing. */
export const optionalPositive = optionally(
  unless("must be a positive number", (value) => typeof value === "number" && value > 0 && value < Infinity),
);

/** A positive whole number, or undefined. */
export const optionalCount = optionally(
  unless("must be a positive whole number", (value) => Number.isSafeInteger(value) && Number(value) > 0),
);

/** Where none at all is a choice too. */
export const optionalWhole = optionally(
  unless("must be a whole number, 0 or more", (value) => Number.isSafeInteger(value) && Number(value) >= 0),
);

/** True, false or undefined. */
export const optionalFlag = optionally(unless("must be true or false", (value) => typeof value === "boolean"));

/** One of some words, or undefined. */
export const optionalOneOf = (...choices: readonly string[]): OptionRule =>
  optionally(
    unless(`must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`, (value) =>
      choices.includes(value as string),
    ),
  );

/**
 * Checks what a host gave to a function that makes something. A misspelt option would otherwise be one that was never
 * given. Throws `TypeError` with one sentence, which names the option and never repeats a value.
 */
export function checkOptions<T extends object>(maker: string, options: T, rules: OptionRules<T>): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new TypeError(`${maker}: the options must be an object`);
  for (const name of Object.keys(options))
    if (!Object.hasOwn(rules, name))
      throw new TypeError(
        `${maker}: there is no option ${JSON.stringify(name.slice(0, 50))}; it takes ${Object.keys(rules).join(", ")}`,
      );
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    const complaint = rule(options[name as keyof T], name in options);
    if (complaint !== undefined) throw new TypeError(`${maker}: ${name} ${complaint}`);
  }
}
