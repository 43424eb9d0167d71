import { isObject } from "../../../../lib/json/is-object.ts";
import type { StoredRecord } from "../../../../ports/storage/collection.ts";
import { isSafeId, type Target, targetOf } from "../../rules/format/keys.ts";
import { type Line, shown } from "../../rules/format/lines.ts";
import { checked, type ImportTools, LineError, type Place } from "../tools.ts";
import { takeFile } from "./files.ts";
import { shapeFault } from "./lists.ts";
import { takePoints } from "./points.ts";
import { takeState } from "./state.ts";

/** Imports one line. A fault in it is recorded, and the import continues. Rejects when the storage fails. */
export async function applyParsed(tools: ImportTools, parsed: Line, at: Place): Promise<void> {
  if (parsed.kind === "nothing") return;
  if (parsed.kind === "fault") return tools.tally.fault(at.line, parsed.reason);
  try {
    if (parsed.kind === "row") await takeRow(tools, parsed, at);
    else if (parsed.kind === "command") await runCommand(tools, parsed, at);
    else await takeRecord(tools, parsed.key, parsed.value, at);
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    tools.tally.fault(at.line, error.message);
  }
}

const WATCHED_IDS = 10_000;

async function takeRow(tools: ImportTools, row: Extract<Line, { kind: "row" }>, at: Place): Promise<void> {
  const { index, id } = row;
  const { registry } = tools.cradle;
  const table = registry.transfer.tables.get(index);
  const collection = registry.searchTables.get(index)?.collection;
  if (!table || !collection) return tools.tally.skip(`rows of ${shown(index)}`);
  if (!isSafeId(id)) throw new LineError(`Malformed id of a row of ${index}: ${shown(id)}`);
  const { id: inner = id } = row.record;
  if (inner !== id) throw new LineError(`The row of another id stands under ${id}`);
  const record = { ...row.record, id };
  const fault = shapeFault(
    table.shape,
    checked(() => table.take?.(record).record ?? record),
  );
  if (fault !== undefined) throw new LineError(`Malformed row ${id} of ${index}: ${fault}`);
  const ids = tools.rows.get(index) ?? new Set();
  if (ids.size < WATCHED_IDS) ids.add(id);
  tools.rows.set(index, ids);
  await tools.batch.add(tools.sinks.rows(index, table, collection), record, at);
}

/** Commands of the format that have no counterpart in tables or would change nothing here. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["copy", "rename", "listCopy", "listRename"],
  ...["hashCreate", "hashPut", "hashUpdate", "hashCopy", "hashRename", "hashDelete", "hashDeleteAll"],
]);

async function runCommand(tools: ImportTools, { cmd, args }: Extract<Line, { kind: "command" }>, at: Place) {
  const [key, value] = args;
  if (LEFT_OUT.has(cmd)) return tools.tally.skip(`command ${cmd}`);
  if (!Object.hasOwn(COMMANDS, cmd)) throw new LineError(`Unknown command: ${shown(cmd)}`);
  if (typeof key !== "string") throw new LineError(`The command ${cmd} names no key`);
  await COMMANDS[cmd as keyof typeof COMMANDS](tools, { key, value }, at);
}

interface Command {
  readonly key: string;
  readonly value: unknown;
}

const addEntries = (tools: ImportTools, { key, value }: Command, at: Place): Promise<void> =>
  takeRecord(tools, `${key}/0`, { type: "list_page", items: Array.isArray(value) ? value : [value] }, at);

const COMMANDS = {
  put: (tools: ImportTools, { key, value }: Command, at: Place) => takeRecord(tools, key, value, at),
  async listCreate() {
    // Lists need not be created; they exist once they have entries.
  },
  listPush: addEntries,
  listUnshift: addEntries,
  async listDelete(tools: ImportTools, { key }: Command) {
    const target = targetOf(key, tools.cradle.registry.transfer);
    if (target.kind === "list") tools.lists.empty(target.name);
    // Imported values of a day or a minute replace the stored ones; all others stay.
    else if (target.kind !== "log" && target.kind !== "series") tools.tally.skip(skippedName(key));
  },
  async delete(tools: ImportTools, { key }: Command) {
    const { transfer } = tools.cradle.registry;
    const target = targetOf(key, transfer);
    if (target.kind !== "keyed") return tools.tally.skip("command delete");
    tools.lists.remove(transfer.keys.get(target.pattern)?.list ?? "", target.id);
  },
} as const satisfies Readonly<Record<string, (tools: ImportTools, command: Command, at: Place) => Promise<void>>>;

/** The kind of a key, without the id of the record. */
const skippedName = (key: string): string => `keys ${shown(key.split("/").slice(0, 2).join("/")).slice(0, 60)}`;

async function takeRecord(tools: ImportTools, key: string, value: unknown, at: Place): Promise<void> {
  const target = targetOf(key, tools.cradle.registry.transfer);
  switch (target.kind) {
    case "list":
      return;
    case "page":
      return takeEntries(tools, target.name, itemsIn(value), at);
    case "keyed":
      return takeKeyed(tools, target, value, at);
    case "own":
      return takeOwn(tools, target, value, at);
    case "state":
      return takeState(tools, value, at);
    case "log":
      return takeLog(tools, target, value, at);
    case "series":
      return takePoints(tools, target, value, at);
    case "file":
      return takeFile(tools, target.key, value, at);
    default:
      return tools.tally.skip(skippedName(key));
  }
}

function itemsIn(value: unknown): readonly unknown[] {
  if (!isObject(value) || !Array.isArray(value["items"])) throw new LineError("A page of a list has no items");
  return value["items"];
}

/** Imports definitions and checks each separately. Also used for files of portable definitions. */
export async function takeEntries(
  tools: ImportTools,
  name: string,
  items: readonly unknown[],
  { line, size }: Place,
): Promise<void> {
  const collection = tools.cradle.registry.transfer.lists.get(name)?.collection;
  if (!collection) return;
  for (const item of items) {
    try {
      const record = checked(() => tools.lists.take(name, item));
      const at = { line, size: size / items.length };
      if (record) await tools.batch.add(tools.sinks.records(name, collection), record, at);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      tools.tally.fault(line, error.message);
    }
  }
}

async function takeKeyed(
  tools: ImportTools,
  { pattern, id }: Extract<Target, { kind: "keyed" }>,
  value: unknown,
  at: Place,
): Promise<void> {
  const keyed = tools.cradle.registry.transfer.keys.get(pattern);
  if (!keyed) return;
  const record = checked(() => keyed.take(id, value));
  const list = tools.cradle.registry.transfer.lists.get(keyed.list);
  // If the list only refers to records, these are the records.
  if (list?.names) tools.lists.see(keyed.list, id);
  await tools.batch.add(tools.sinks.records(keyed.item, keyed.collection), record, at);
}

async function takeOwn(
  tools: ImportTools,
  { collection, id }: Extract<Target, { kind: "own" }>,
  value: unknown,
  at: Place,
): Promise<void> {
  const own = tools.cradle.registry.transfer.own.get(collection);
  if (!own) return;
  if (!isObject(value) || value["id"] !== id) throw new LineError(`A record of ${collection} does not fit its key`);
  await tools.batch.add(tools.sinks.records(collection, own), value as unknown as StoredRecord, at);
}

async function takeLog(
  tools: ImportTools,
  { extra, page }: Extract<Target, { kind: "log" }>,
  value: unknown,
  at: Place,
): Promise<void> {
  const log = tools.cradle.registry.transfer.logs.get(extra);
  if (page === undefined || !log) return;
  for (const item of itemsIn(value)) {
    if (!isObject(item)) throw new LineError("An entry of a list is no object");
    const rows = checked(() => log.take(item));
    for (const row of rows) await tools.batch.add(tools.sinks.records(extra, log.collection), row, at);
  }
}
