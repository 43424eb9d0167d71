/** Words that may not be ids or member names (docs/contract/records.md#reserved-words). */
const RESERVED: ReadonlySet<string> = new Set([
  "constructor",
  "__defineGetter__",
  "__defineSetter__",
  "hasOwnProperty",
  "__lookupGetter__",
  "__lookupSetter__",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toString",
  "valueOf",
  "__proto__",
  "toLocaleString",
  "0",
]);

export const isReservedWord = (word: string): boolean => RESERVED.has(word);
