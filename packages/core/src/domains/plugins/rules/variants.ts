/** Kinds of text input that a parameter may ask for (part 10 §13.3). */
export const VARIANTS: ReadonlySet<unknown> = new Set([
  ...["color", "date", "datetime-local", "email", "number", "password", "text", "time", "tel", "url"],
]);
