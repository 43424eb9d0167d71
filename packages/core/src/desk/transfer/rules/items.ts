import * as z from "zod";
import { object } from "../../../wire/schemas/objects.ts";
import type { TransferNames } from "./format/names.ts";

/** Default bound on the size of a file, in bytes; larger files are left out. */
const MAX_FILE = 1_048_576;
/** Largest bound that an item may ask for, in bytes: a file becomes one line, which is held in memory. */
const MOST_FILE = 8_388_608;
const MAX_ITEMS = 1000;

const flag = () => z.union([z.boolean(), z.number()]).transform(Boolean);
const query = z.string().max(8192).default("*");
const maxRows = () => z.coerce.number().int().nonnegative().default(0).describe("Newest rows; 0 = all.");
const maxSize = () =>
  z.coerce.number().int().nonnegative().max(MOST_FILE).default(MAX_FILE).describe("Bytes of one file.");
const kind = <const T extends string>(type: T) => z.literal(type);

/** One item of a backup (docs/contract/transfer.md#items). */
export const TransferItem = z.discriminatedUnion("type", [
  object(() => ({ type: kind("list"), key: z.string().regex(/^global\/\w+$/) })),
  object(() => ({ type: kind("index"), index: z.string(), query, max_rows: maxRows() })),
  object(() => ({ type: kind("users"), avatars: flag().default(false) })),
  object(() => ({
    type: kind("jobFiles"),
    query,
    max_rows: maxRows(),
    max_size: maxSize(),
    logs: flag().default(true),
    files: flag().default(true),
  })),
  object(() => ({ type: kind("ticketFiles"), query, max_rows: maxRows(), max_size: maxSize() })),
  object(() => ({ type: kind("monitorData"), query })),
  object(() => ({ type: kind("bucketData") })),
  object(() => ({ type: kind("bucketFiles"), max_size: maxSize() })),
  object(() => ({ type: kind("secretData") })),
  object(() => ({ type: kind("statData") })),
  object(() => ({ type: kind("state") })),
  object(() => ({ type: kind("engineData") })),
]);
export type TransferItem = z.infer<typeof TransferItem>;
export const TransferItems = z.array(TransferItem).max(MAX_ITEMS);

export type FilesItem = Extract<TransferItem, { readonly max_size: number }>;

/** Names of a simple order; `all` stands for all that exist. */
export interface SimpleOrder {
  readonly lists?: readonly string[] | "all" | undefined;
  readonly indexes?: readonly string[] | "all" | undefined;
  readonly extras?: readonly string[] | "all" | undefined;
}

/** Extras that no single domain contributes. */
const PLAIN_EXTRAS: ReadonlySet<string> = new Set(["user_avatars", "engine_data"]);

export interface Unknown {
  readonly unknown: string;
}

/**
 * Expands a simple order into items: definitions first, then rows, then extras. A list includes its records that have their own
 * keys. Returns the first unknown name, if any.
 */
export function itemsOf(order: SimpleOrder, maps: TransferNames): readonly unknown[] | Unknown {
  const lists = named(order.lists, [...maps.lists.keys()]);
  const indexes = named(order.indexes, [...maps.tables.keys()]);
  const known = [...maps.files.keys(), ...maps.logs.keys(), ...maps.series.keys(), ...PLAIN_EXTRAS];
  const extras = named(order.extras, known);
  for (const each of [lists, indexes, extras]) if ("unknown" in each) return each;
  const wanted = { lists: lists as readonly string[], extras: extras as readonly string[] };
  return [
    ...listItems(wanted, maps),
    ...(indexes as readonly string[]).map((index) => ({ type: "index", index })),
    ...extraItems(wanted.extras, maps),
  ];
}

function listItems({ lists, extras }: { lists: readonly string[]; extras: readonly string[] }, maps: TransferNames) {
  return lists.flatMap((name) => [
    { type: "list", key: `global/${name}` },
    ...[...maps.keys.values()]
      .filter(({ list }) => list === name)
      .map(({ item }) => ({ type: item, ...(item === "users" ? { avatars: extras.includes("user_avatars") } : {}) })),
  ]);
}

function extraItems(extras: readonly string[], maps: TransferNames): unknown[] {
  const asked = new Map<string, Record<string, unknown>>();
  for (const extra of extras) {
    const files = maps.files.get(extra);
    const item = files?.item ?? maps.logs.get(extra)?.item ?? maps.series.get(extra)?.item;
    if (item === undefined) continue;
    const before = asked.get(item) ?? { type: item };
    asked.set(item, files ? { ...before, [files.part]: true } : before);
  }
  // Kinds of files that were not named are not exported.
  for (const [extra, { item, part }] of maps.files) {
    const wanted = asked.get(item);
    if (wanted && !extras.includes(extra)) wanted[part] = false;
  }
  return [...asked.values(), ...(extras.includes("engine_data") ? [{ type: "state" }, { type: "engineData" }] : [])];
}

function named(names: readonly string[] | "all" | undefined, known: readonly string[]): readonly string[] | Unknown {
  if (names === undefined) return [];
  if (names === "all") return known;
  const unknown = names.find((name) => !known.includes(name));
  return unknown === undefined ? [...new Set(names)] : { unknown };
}
