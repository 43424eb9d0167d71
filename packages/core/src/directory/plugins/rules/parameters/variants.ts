/** Types of text input that a parameter may have (docs/contract/parameters.md#definitions). */
export const VARIANTS: ReadonlySet<unknown> = new Set([
  ...["color", "date", "datetime-local", "email", "number", "password", "text", "time", "tel", "url"],
]);
