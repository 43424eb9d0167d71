import { createMasker, MASK, type Masker } from "../../../secrets/rules/mask.ts";

/** Output of a process. */
export interface Written {
  readonly text: string;
  /** True when there was more output. */
  readonly isCut: boolean;
}

export interface AnswerMask {
  written(output: Written): string;
  /** Texts, names and numbers of a JSON value; its depth must be bounded. */
  json(value: unknown): unknown;
}

/** Masks the values of secrets in the answer of a trial run. */
export function createAnswerMask(values: readonly string[]): AnswerMask {
  const masker = createMasker(values);
  if (!masker) return { written: ({ text }) => text, json: (value) => value };
  return {
    // The end of a cut text may be the beginning of a value, so it is left out.
    written: ({ text, isCut }) => (isCut ? masker.stream().write(text) : masker.text(text)),
    json: (value) => maskJson(masker, value),
  };
}

function maskJson(masker: Masker, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => maskJson(masker, each));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [masker.text(name), maskJson(masker, member)]),
    );
  if (typeof value === "string") return masker.text(value);
  // A value that consists only of digits may come back as a number.
  return masker.text(String(value)).includes(MASK) ? MASK : value;
}
