/** A record whose members an expression may read. */
export type Data = Readonly<Record<string, unknown>>;

/**
 * Computes a value from the current element of a filter (outside of filters: the root) and the root record. The element comes
 * first, so that a reader of one of its members needs no closure around it.
 */
export type Run = (relative: Data, root: Data) => unknown;

const indexPattern = /^\d+$/;
const hasOwn = Object.hasOwn;

/** Functions are never values: an expression could do nothing harmless with one. */
export const withoutFunction = (value: unknown): unknown => (typeof value === "function" ? undefined : value);

/** Reads an own member of a record, never an inherited one. */
const readOwn = (record: Data, name: string): unknown => {
  const value = record[name];
  if (value === undefined || typeof value === "function" || !hasOwn(record, name)) return undefined;
  return value;
};

/** Reads a member of anything but null and undefined: of arrays and texts only `length` and the indexes. */
export const readMember = (value: unknown, key: string): unknown => {
  if (typeof value === "string" || Array.isArray(value)) {
    const readable = key === "length" || (indexPattern.test(key) && hasOwn(value as object, key));
    return readable ? withoutFunction((value as unknown as Data)[key]) : undefined;
  }
  return typeof value === "object" ? readOwn(value as Data, key) : undefined;
};

const unreadable = (value: unknown, name: string): TypeError =>
  new TypeError(`Cannot read properties of ${value === null ? "null" : "undefined"} (reading '${name}')`);

/** `value.name`: a member of null or undefined is undefined, and an array returns the member of its first element. */
export const step = (value: unknown, name: string): unknown => {
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? readMember(value, name) : undefined;
  }
  return Array.isArray(value) ? stepIntoArray(value, name) : readOwn(value as Data, name);
};

const stepIntoArray = (list: readonly unknown[], name: string): unknown => {
  const first = list[0];
  if (first === undefined || first === null) throw unreadable(first, name);
  return readMember(first, name);
};

/** `value[key]` with a computed key. The error does not name the key: it may come from a secret. */
export const readComputed = (value: unknown, key: unknown): unknown => {
  if (typeof key === "boolean") return key ? value : undefined;
  if (value === undefined || value === null) {
    throw new TypeError(`Cannot read properties of ${value === null ? "null" : "undefined"}`);
  }
  if (typeof key === "number" && Array.isArray(value)) return withoutFunction(elementAt(value, key));
  return readMember(value, String(key));
};

const elementAt = (list: readonly unknown[], index: number): unknown => (index >= 0 ? list[index] : undefined);

/** `value["name"]` and `value[3]` with the key written in the source, so that errors may name it. */
export const readFixed = (value: unknown, key: string | number): unknown => {
  if (value === undefined || value === null) throw unreadable(value, String(key));
  if (typeof key === "number" && Array.isArray(value)) return withoutFunction(elementAt(value, key));
  return readMember(value, String(key));
};

/** The list that a filter iterates over: a single value counts as a list of one, undefined as an empty list. */
export const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
};
