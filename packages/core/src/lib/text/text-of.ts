/** Any value in one line: JSON for objects, lists and null, the plain text of everything else. */
export const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** The same, and empty where there is nothing. */
export const textOrNothing = (value: unknown): string => (value === undefined || value === null ? "" : textOf(value));

/** The same, and a list as its elements with commas between them. */
export const joinedText = (value: unknown): string =>
  Array.isArray(value) ? value.map(joinedText).join(",") : textOrNothing(value);

/** A text as it is; empty for values of any other kind. */
export const onlyText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The texts of a list, empty ones left out; none of anything else. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string" && item !== "") : [];

/** A text that is not empty. */
export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** A list of nothing but texts. */
export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** A text of nothing but letters, digits and underscores. */
export const isWord = (value: unknown): value is string => typeof value === "string" && /^\w+$/.test(value);

/** Nothing to speak of: absent, null or an empty text. */
export const isBlank = (value: unknown): boolean => value === undefined || value === null || value === "";
