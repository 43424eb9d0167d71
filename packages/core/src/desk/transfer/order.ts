import { parsedJson } from "../../lib/json/parsed-json.ts";
import { noArray, nothingToExport, unknownItem } from "./faults.ts";
import type { ExportOrder } from "./model.ts";
import type { TransferNames } from "./rules/format/names.ts";
import { itemsOf, type TransferItem, TransferItems } from "./rules/items.ts";

const MAX_NAMES = 100;

/** Names as a list, or as comma-separated text from a query string. A single `all` stands for all names. */
function namesOf(what: string, sent: unknown): readonly string[] | "all" | undefined {
  if (sent === undefined || sent === null || sent === "") return undefined;
  const list: unknown = typeof sent === "string" ? sent.split(",").map((name) => name.trim()) : sent;
  if (!Array.isArray(list) || list.length > MAX_NAMES || !list.every((name) => typeof name === "string"))
    throw noArray(what);
  return list.length === 1 && list[0] === "all" ? "all" : list;
}

/** The items of an order. Throws `DomainError` for an order that is empty, malformed, or contains something unknown. */
export function readOrder(order: ExportOrder, maps: TransferNames): TransferItem[] {
  if (order.items !== undefined && order.items !== null) return readItems(order.items, maps, nothingToExport);
  const [lists, indexes, extras] = (["lists", "indexes", "extras"] as const).map((what) => namesOf(what, order[what]));
  const items = itemsOf({ lists, indexes, extras }, maps);
  if ("unknown" in items) throw unknownItem(items.unknown);
  return readItems(items, maps, nothingToExport);
}

/** Reads a list of items; `nothing` creates the error for an empty list. */
export function readItems(sent: unknown, maps: TransferNames, nothing: () => Error): TransferItem[] {
  // A query string holds the list as JSON.
  const list = typeof sent === "string" ? parsedJson(sent) : sent;
  if (!Array.isArray(list)) throw noArray("items");
  if (list.length === 0) throw nothing();
  const { data: items, error } = TransferItems.safeParse(list);
  if (!items) throw unknownItem(nameOf(list[Number(error.issues[0]?.path[0] ?? 0)]));
  for (const item of items) {
    if (item.type === "list" && !maps.lists.has(item.key.slice("global/".length))) throw unknownItem(item.key);
    if (item.type === "index" && !maps.tables.has(item.index)) throw unknownItem(item.index);
  }
  return items;
}

function nameOf(item: unknown): string {
  const { type, key, index } = Object(item) as { type?: unknown; key?: unknown; index?: unknown };
  return [type, key ?? index].filter((part) => typeof part === "string").join(" ") || "(no type)";
}
