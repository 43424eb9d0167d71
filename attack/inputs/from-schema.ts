/** Generates inputs for an operation from its own schema. */
import { BODIES, CONTENT_TYPES, NUMBERS, STRINGS, STRUCTURES } from "./hostile.ts";
import { type Ids, knownValue } from "./known.ts";
import { createRandom, type Random } from "./random.ts";

export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

export interface Described {
  readonly name: string;
  readonly path: string;
  /** "get", "post" */
  readonly methods: readonly string[];
  readonly schema: Schema;
}

export interface HostileInput {
  readonly method: "GET" | "POST";
  readonly query: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** The `index`-th input of an operation, determined by the seed. */
export function hostileInput(operation: Described, seed: string, index: number, ids: Ids): HostileInput {
  const random = createRandom(`${seed}/${operation.name}/${index}`);
  if (index % 10 === 9) return brokenBody(random, Math.floor(index / 10));
  const noun = nounOf(operation.name);
  const members = membersOf(operation.schema, noun, random, ids);
  const changed = index % 10 < 2 ? members : corrupt(members, random, index);
  const byQuery = operation.methods.includes("get") && random.chance(0.5);
  return byQuery
    ? { method: "GET", query: queryOf(changed) }
    : { method: "POST", query: "", contentType: "application/json", body: textOf(changed, random) };
}

/** Every member of an operation, each with a valid value as far as one is known. */
export function rightMembers({ name, schema }: Described, seed: string, ids: Ids): Members {
  const { properties = {} } = schema;
  const random = createRandom(`${seed}/${name}/right`);
  const noun = nounOf(name);
  return Object.fromEntries(
    Object.keys(properties).map((member) => [member, rightValue(member, properties[member] ?? {}, noun, random, ids)]),
  );
}

/** The kind of record in an operation's name: "update_web_hook" is about a web hook. */
function nounOf(name: string): string {
  const noun = name.replace(/^[a-z]+_/, "").replace(/_(?:data|history|log|change|file|files|ticket|tickets|tags)$/, "");
  return noun.replace(/ies$/, "y").replace(/s$/, "");
}

function brokenBody(random: Random, turn: number): HostileInput {
  const body = BODIES[turn % BODIES.length] as string;
  const contentType = random.chance(0.6) ? "application/json" : random.pick(CONTENT_TYPES);
  return { method: "POST", query: "", contentType, body };
}

type Members = Record<string, unknown>;

function membersOf({ properties = {}, required = [] }: Schema, noun: string, random: Random, ids: Ids): Members {
  const share = random.pick([0.1, 0.5, 1]);
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(share));
  return Object.fromEntries(names.map((name) => [name, rightValue(name, properties[name] ?? {}, noun, random, ids)]));
}

function rightValue(name: string, schema: Schema, noun: string, random: Random, ids: Ids): unknown {
  const known = knownValue(name, noun, random, ids);
  return known ? known.value : bySchema(schema, random, 3);
}

/** A value that the schema allows, as far as the schema tells. */
function bySchema(schema: Schema, random: Random, depth: number): unknown {
  const { type, enum: values, anyOf, allOf } = schema;
  if (values && values.length > 0) return random.pick(values);
  const nested = anyOf ?? allOf;
  if (nested && nested.length > 0) return bySchema(random.pick(nested), random, depth);
  const make = type === undefined ? undefined : BY_TYPE[type];
  return make ? make(schema, random, depth) : random.pick(["x", 1, true, {}, []]);
}

const BY_TYPE: Readonly<Record<string, (schema: Schema, random: Random, depth: number) => unknown>> = {
  boolean: (_, random) => random.chance(0.5),
  string: (_, random) => random.pick(["x", "abc_1", "A title", "2026-11-23", "local", "1"]),
  integer: ({ minimum = 0, maximum = 1000 }, random) => Math.min(maximum, Math.max(minimum, random.below(1000))),
  number: ({ minimum = 0, maximum = 1000 }, random) => Math.min(maximum, Math.max(minimum, random.next() * 1000)),
  null: () => null,
  array: ({ items }, random, depth) =>
    depth === 0 ? [] : Array.from({ length: random.below(4) }, () => bySchema(items ?? {}, random, depth - 1)),
  object: ({ properties = {} }, random, depth) =>
    depth === 0
      ? {}
      : Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, bySchema(of, random, depth - 1)])),
};

const EXTRA = ["__proto__", "constructor", "toString", "extra", "sampels", "session_id", "revision", "created", ""];

/** Corrupts one to three members. */
function corrupt(members: Members, random: Random, index: number): Members {
  // Without a prototype, so that "__proto__" becomes a member.
  const changed: Members = Object.assign(Object.create(null), members);
  const names = Object.keys(members);
  for (let turn = 1 + (index % 3); turn > 0; turn--) {
    const name = names.length > 0 && random.chance(0.8) ? random.pick(names) : random.pick(EXTRA);
    if (random.chance(0.1)) delete changed[name];
    else changed[name] = spoil(changed[name], random);
  }
  return changed;
}

/** A spoiled value: another value in its place, or inside of it. */
function spoil(value: unknown, random: Random): unknown {
  if (typeof value === "object" && value !== null && random.chance(0.5)) {
    const names = Object.keys(value);
    if (names.length === 0) return hostileValue(random);
    const name = random.pick(names);
    const inner = spoil((value as Members)[name], random);
    if (Array.isArray(value)) return value.map((item, at) => (String(at) === name ? inner : item));
    return Object.assign(Object.create(null), value, { [name]: inner });
  }
  return hostileValue(random);
}

function hostileValue(random: Random): unknown {
  const kind = random.below(10);
  if (kind < 5) return random.pick(STRINGS);
  return kind < 8 ? random.pick(NUMBERS) : random.pick(STRUCTURES)();
}

function textOf(members: Members, random: Random): string {
  const text = JSON.stringify(members);
  if (!random.chance(0.1)) return text;
  // Numbers that JSON.stringify never writes but JSON.parse reads.
  return text.replace(/:(-?\d+)/, random.pick([":1e999", ":-0", ":9007199254740993", ":-1e-400"]));
}

const MAX_QUERY = 12_000;

function queryOf(members: Members): string {
  const pairs = Object.entries(members).map(([name, value]) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return `${escaped(name)}=${escaped(text)}`;
  });
  const query = pairs.join("&").slice(0, MAX_QUERY);
  return query === "" ? "" : `?${query.replace(/%[\dA-F]?$/, "")}`;
}

/** Lone surrogates cannot be percent-encoded: they are sent as the bytes that careless programs send. */
const escaped = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\u{fffd}")).replaceAll("%EF%BF%BD", "%ED%A0%80");
