import * as fc from "fast-check";
import { codePoint } from "../code-point.ts";

type Members = Record<string, unknown>;

const nest = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
};
/** `JSON.parse` makes `__proto__` an own member, as in the body of a request. */
const parsed = (text: string): unknown => JSON.parse(text);

const TEXTS = [
  ...[
    "",
    " ",
    "\n",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff",
    "x\ud83d",
    "\u202eabc",
    "\ufeff",
    "\u2028",
    "é\u0301",
    "👩‍👩‍👧‍👦",
  ],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "then", "length", "0", "*"],
  ...["../../etc/passwd", "..\\..\\x", "/", "//", "a/b", "C:\\", "file:///etc/passwd", "javascript:alert(1)"],
  ...[
    "http://",
    "https://[::1]:99999/",
    "http://169.254.169.254/latest",
    "http://user:pw@host/",
    "{{ 1 }}",
    "{{",
    "}}",
  ],
  ...[
    "{{ secrets.X }}",
    "{{ constructor.constructor('x')() }}",
    "$" + "{7*7}",
    "<script>alert(1)</script>",
    "<",
    "a<b>c",
  ],
  ...["' OR 1=1 --", '"; drop table users; --', "%s%n%d", "%00", "\r\nSet-Cookie: a=b", "Content-Type: x\r\n\r\nx"],
  ...["-1", "+1", "-0", "1e999", "NaN", "Infinity", "0x10", "1,2,3", ",", "true", "false", "null", "undefined"],
  ...[
    "(a+)+$",
    "[",
    "(?<=x",
    "\\",
    "1 +",
    "a.b.c[0]",
    "((((",
    "'",
    '"',
    "9".repeat(400),
    "2026-13-45",
    "monitors.x > 1",
  ],
  ...["a".repeat(63), "a".repeat(65), "a".repeat(257), "é".repeat(1000), "a ".repeat(5000), "x".repeat(100_000)],
];
const NUMBERS = [
  ...[0, -0, 1, -1, 0.1, -0.5, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e21, 1e308],
  ...[Number.MIN_VALUE, Number.MAX_VALUE, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 253402300800],
];
const STRUCTURES: readonly (() => unknown)[] = [
  () => [],
  () => ({}),
  () => [null],
  () => [[]],
  () => [{}],
  () => ["", null, 5, {}, []],
  () => [{ id: "__proto__" }],
  () => [{ id: null }, { id: 5 }, { id: "x".repeat(100) }],
  () => [{ name: "A", value: {} }],
  () => [{ name: "a b", value: "\0" }],
  () => [{ enabled: true, type: "nonsense" }],
  () => [{ enabled: true, type: "constructor", condition: "toString" }],
  () => [{ enabled: true, condition: "success", type: "email", users: ["\0"], email: "\r\n" }],
  () => [{ type: "schedule", enabled: true, minutes: ["x"], hours: [-1], timezone: "Mars/Olympus" }],
  () => [{ type: "interval", enabled: true, duration: -1, start: Number.NaN }],
  () => parsed('{"__proto__":{"admin":true}}'),
  () => parsed('{"a":{"__proto__":{"admin":true}}}'),
  () => parsed('[{"id":"x","__proto__":{"admin":true}}]'),
  () => ({ constructor: { prototype: { admin: true } } }),
  () => parsed('{"toString":1,"valueOf":null,"toJSON":"x","then":1,"length":-1}'),
  () => ({ hasOwnProperty: 1, isPrototypeOf: 2, admin: true, "a.b": 1, "": 0, "\0": 1, "\ud800": 1 }),
  () => ({ admin: Number.NaN, x: "yes", y: null }),
  () => nest(62, (inner) => [inner]),
  () => nest(62, (inner) => ({ a: inner })),
  () => nest(70, (inner) => ({ a: inner })),
  () => nest(3000, (inner) => [inner]),
  () => Array.from({ length: 2000 }, (_unused, index) => `id${index}`),
  () => Array.from({ length: 500 }, () => ({ id: "x", name: "A", value: "1", type: "text", enabled: true })),
  () => Object.fromEntries(Array.from({ length: 2000 }, (_unused, index) => [`k${index}`, index])),
  () => Array.from({ length: 100_001 }, () => 1),
];

/** Unexpected values; their weights are guesses. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 4, arbitrary: fc.constantFrom(...STRUCTURES).map((make) => make()) },
  { weight: 2, arbitrary: fc.constantFrom(null, undefined, true, false) },
  { weight: 2, arbitrary: fc.string({ unit: codePoint, maxLength: 300 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(fc.string(), fc.double(), fc.constant(null)), { maxLength: 20 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 10 }) },
);

/** A mutation of a well-formed input, as data, so that a failure can print it. */
export type Mutation =
  /** Sets a parameter, whether it was present or not. */
  | { readonly set: string; readonly value: unknown }
  /** Replaces the n-th of all members at any depth, modulo their number. */
  | { readonly nth: number; readonly value: unknown }
  | { readonly remove: string };

export function hostileMutation(parameters: readonly string[]): fc.Arbitrary<Mutation> {
  const names = fc.constantFrom(...parameters, "id", "title", "notes", "icon", "label", "message", "enabled", "json");
  const odd = fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "", "\0", "api_key", "a.b"),
    fc.string(),
  );
  return fc.oneof(
    { weight: 12, arbitrary: fc.record({ set: names, value: hostileValue }) },
    { weight: 6, arbitrary: fc.record({ nth: fc.nat(), value: hostileValue }) },
    { weight: 2, arbitrary: fc.record({ set: odd, value: hostileValue }) },
    { weight: 1, arbitrary: fc.record({ remove: names }) },
  );
}

export function spoil(input: Members, mutation: Mutation): Members {
  if ("set" in mutation) {
    // An assignment to `__proto__` would set the prototype, whereas the body of a request has a member of that name.
    const member = { value: mutation.value, enumerable: true, configurable: true, writable: true };
    return Object.defineProperty({ ...input }, mutation.set, member);
  }
  if ("nth" in mutation) return replaceBelow(input, mutation.nth, mutation.value);
  const { [mutation.remove]: _gone, ...rest } = input;
  return rest;
}

function replaceBelow(input: Members, n: number, value: unknown): Members {
  const copy = structuredClone(input);
  const places: [Members, string][] = [];
  const collect = (holder: Members): void => {
    for (const [name, member] of Object.entries(holder)) {
      places.push([holder, name]);
      if (typeof member === "object" && member !== null) collect(member as Members);
    }
  };
  collect(copy);
  const place = places[n % Math.max(places.length, 1)];
  if (place) place[0][place[1]] = value;
  return copy;
}
