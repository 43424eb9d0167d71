import type * as z from "zod";
import { isObject } from "../../lib/json/is-object.ts";

/** Members that a value may have; without `members`, any, because they are data of the caller. */
export interface Known {
  readonly members?: ReadonlyMap<string, Known | undefined>;
  /** Members of a list's elements. */
  readonly items?: Known;
  /** Whether the members of this particular value are data after all. */
  readonly isData?: (value: Readonly<Record<string, unknown>>) => boolean;
  /** Shape of a list's entries, for descriptions of the API. */
  readonly entry?: EntryShape;
}

/** The named shape of an entry, built on demand. */
export interface EntryShape {
  readonly name: string;
  readonly schema: () => z.ZodType;
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;

const declared = new WeakMap<z.ZodType, () => Known | undefined>();

/** Declares the members of a schema that checks them with a function, so that its shape does not show them. */
export function knowing<T extends z.ZodType>(schema: T, known: Known): T {
  return knowingLater(schema, () => known);
}

/** Like `knowing`, with members that are determined at the first use. */
export function knowingLater<T extends z.ZodType>(schema: T, known: () => Known | undefined): T {
  declared.set(schema, known);
  return schema;
}

/** The shape of a list's entries, for a schema that checks them with a function. */
export const entryShapeOf = (schema: z.ZodType): EntryShape | undefined => declared.get(schema)?.()?.entry;

interface Entries extends Pick<Known, "isData" | "entry"> {
  readonly names: readonly string[];
}

/** Entries of a list, given the names of their members. */
export const entriesOf = ({ names, isData, entry }: Entries): Known => ({
  items: { members: new Map(names.map((name) => [name, undefined])), ...(isData ? { isData } : {}) },
  ...(entry ? { entry } : {}),
});

/** Members that a schema's input lists; an object that lists none is data. */
export function knownOf(schema: z.ZodType): Known | undefined {
  const given = declared.get(schema);
  if (given) return given();
  const { type, shape, element, innerType, in: input, out, options } = definitionOf(schema);
  if (shape) return knownShape(Object.entries(shape));
  if (element) {
    const items = knownOf(element);
    return items && { items };
  }
  if (innerType) return knownOf(innerType);
  if (type === "pipe" && input && out) return knownOf(definitionOf(input).type === "transform" ? out : input);
  return options ? anyOf(options.map(knownOf)) : undefined;
}

function knownShape(entries: readonly (readonly [string, z.ZodType])[]): Known | undefined {
  if (entries.length === 0) return undefined;
  return { members: new Map(entries.map(([name, member]) => [name, knownOf(member)])) };
}

/**
 * The members of all variants of a value; texts and numbers among them have none. If a variant is a list, or recognises data with
 * a function, only the first variant counts.
 */
function anyOf(parts: readonly (Known | undefined)[]): Known | undefined {
  const known = parts.filter((part) => part !== undefined);
  const shapes = known.flatMap(({ members, items, isData }) => (members && !items && !isData ? [members] : []));
  if (known.length < 2 || shapes.length < known.length) return known[0];
  const names = new Set(shapes.flatMap((members) => [...members.keys()]));
  return { members: new Map([...names].map((name) => [name, anyOf(shapes.map((members) => members.get(name)))])) };
}

/** Adds members to `known`; their own members are data. */
export const withMembers = (known: Known | undefined, names: Iterable<string>): Known => ({
  ...known,
  members: new Map([...[...names].map((name) => [name, undefined] as const), ...(known?.members ?? [])]),
});

const MAX_NAMED = 20;
const MAX_LENGTH = 100;

/**
 * Dotted paths of the first twenty unknown members; undefined when there are none, which is nearly always the case and costs one
 * look-up per member.
 */
export function unknownMembers(known: Known, value: object): string[] | undefined {
  const found: string[] = [];
  collectMembers(known, value as Members, "", found);
  return found.length > 0 ? found : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function collect(known: Known, value: unknown, path: string, found: string[]): void {
  if (Array.isArray(value)) {
    if (known.items) collectItems(known.items, value, path, found);
  } else if (isObject(value) && !known.isData?.(value)) collectMembers(known, value, path, found);
}

function collectItems(items: Known, list: readonly unknown[], path: string, found: string[]): void {
  for (let index = 0; index < list.length && found.length < MAX_NAMED; index++)
    collect(items, list[index], `${path}${index}.`, found);
}

function collectMembers({ members }: Known, value: Members, path: string, found: string[]): void {
  if (!members) return;
  for (const name of Object.keys(value)) {
    if (found.length >= MAX_NAMED) return;
    const inner = members.get(name);
    if (inner) collect(inner, value[name], `${path}${name}.`, found);
    else if (!members.has(name) && !isPathInto(members, name)) found.push(`${path}${name}`.slice(0, MAX_LENGTH));
  }
}

/** Flat names may refer to a nested member: "params/foo" of a launch, "workflow.job" of a filter. */
function isPathInto(members: ReadonlyMap<string, unknown>, name: string): boolean {
  const end = name.search(/[./]/);
  return end > 0 && members.has(name.slice(0, end));
}
