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
