import type { TransferList } from "../../../kernel/plugins/transfer.ts";
import type { StoredRecord } from "../../../ports/storage/collection.ts";
import { keyOf, OWN_PREFIX } from "../rules/format/keys.ts";
import { emptyLine, recordLine } from "../rules/format/lines.ts";
import { pageList } from "../rules/format/pages.ts";
import { eachBatch } from "./records.ts";
import type { ExportTools } from "./tools.ts";

/** A list with its header and pages, in the order that people see. */
export async function* listLines(tools: ExportTools, key: string): AsyncGenerator<string> {
  const list = tools.cradle.registry.transfer.lists.get(key.slice("global/".length));
  if (!list) return;
  const records = await tools.cradle.snapshot((tx) => tx.collection(list.collection).list());
  yield emptyLine(key);
  for (const { text, records: count } of pageList(key, inOrder(list, records as StoredRecord[]))) {
    yield text;
    tools.count("records", count);
    await tools.breath();
  }
}

function inOrder({ sorted, names }: TransferList, records: readonly StoredRecord[]): readonly object[] {
  const placeOf = (record: object): number => Number((record as { sort_order?: unknown }).sort_order ?? 0);
  const ordered = sorted ? records.toSorted((a, b) => placeOf(a) - placeOf(b)) : records;
  return names ? ordered.map((record) => names.entry(record as never)) : ordered;
}

/** Records with their own keys, for all key patterns of an item. */
export async function* keyedLines(tools: ExportTools, item: string): AsyncGenerator<string> {
  for (const [pattern, { collection, item: own, read }] of tools.cradle.registry.transfer.keys)
    if (own === item)
      yield* eachBatch(tools, {
        collection,
        line: (_tx, record: StoredRecord) => recordLine(keyOf(pattern, record.id), read(record as never)),
      });
}

/** Lines of collections that other systems do not know. */
export async function* ownLines(tools: ExportTools): AsyncGenerator<string> {
  for (const [name, collection] of tools.cradle.registry.transfer.own)
    yield* eachBatch(tools, {
      collection,
      line: (_tx, record: StoredRecord) => recordLine(`${OWN_PREFIX}${name}/${record.id}`, record),
    });
}

export async function* stateLines({ cradle }: ExportTools): AsyncGenerator<string> {
  // The states of events are exported with the engine's own records.
  const { events: _events, ...state } = await cradle.snapshot((tx) => cradle.shownState(tx, true));
  yield recordLine("global/state", state);
}

export async function* logLines(tools: ExportTools, item: string): AsyncGenerator<string> {
  const { cradle } = tools;
  for (const { item: own, key, read } of cradle.registry.transfer.logs.values()) {
    if (own !== item) continue;
    yield emptyLine(key);
    const entries: object[] = [];
    for await (const entry of read(cradle)) {
      entries.push(entry);
      await tools.breath();
    }
    for (const { text, records } of pageList(key, entries)) {
      yield text;
      tools.count("records", records);
      await tools.breath();
    }
  }
}
