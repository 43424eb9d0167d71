/** A plain set of members, as JSON knows it: no list, not `null`. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
