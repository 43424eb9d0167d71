/** Tests of single members, for definitions whose errors have their own wire code. */
export type Check = (value: unknown) => boolean;

export const isFlag: Check = (value) => typeof value === "boolean" || isNumber(value);
export const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
export const isText: Check = (value) => typeof value === "string";
export const isIdList: Check = (value) =>
  Array.isArray(value) && value.every((id) => typeof id === "string" && /^[a-z0-9_]+$/.test(id));
export const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
/** A whole number in a range that includes both ends. */
export const isWithin =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
export const isOneOf =
  (words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string);
