/** Any value on one line: JSON for objects, lists and null, plain text for everything else. */
export const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Like `textOf`, but empty for undefined and null. */
export const textOrNothing = (value: unknown): string => (value === undefined || value === null ? "" : textOf(value));

/** Like `textOrNothing`, but a list becomes its elements separated by commas. */
export const joinedText = (value: unknown): string =>
  Array.isArray(value) ? value.map(joinedText).join(",") : textOrNothing(value);

/** The text itself; empty for values of any other type. */
export const onlyText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The texts of a list that are not empty; none for any other value. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string" && item !== "") : [];

/** A text that is not empty. */
export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** A list that contains only texts. */
export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** A text that consists of letters, digits and underscores. */
export const isWord = (value: unknown): value is string => typeof value === "string" && /^\w+$/.test(value);

/** Absent, null or an empty text. */
export const isBlank = (value: unknown): boolean => value === undefined || value === null || value === "";
