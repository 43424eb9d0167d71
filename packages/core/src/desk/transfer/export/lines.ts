import { unknownItem } from "../faults.ts";
import { commentLine, END_MARK, headerOf, rowLine } from "../rules/format/lines.ts";
import type { TransferItem } from "../rules/items.ts";
import { keyedLines, listLines, logLines, ownLines, stateLines } from "./definitions.ts";
import { fileLines } from "./files.ts";
import { conditionOf, eachBatch, tableOf } from "./records.ts";
import { seriesLines } from "./series.ts";
import type { ExportTools } from "./tools.ts";

/** A complete file, in pieces. */
export async function* exportLines(tools: ExportTools, items: readonly TransferItem[]): AsyncGenerator<string> {
  const { config, servers } = tools.cradle;
  yield headerOf({ product: config.client.name, hostname: servers.node, now: tools.now });
  for (const item of items) {
    yield commentLine(titleOf(item));
    for await (const text of linesOf(tools, item)) {
      tools.signal.throwIfAborted();
      yield text;
    }
  }
  yield `\n${END_MARK}\n`;
}

const titleOf = (item: TransferItem): string => {
  if (item.type === "list") return `List: ${item.key}`;
  return item.type === "index" ? `Rows: ${item.index}` : `Data: ${item.type}`;
};

function linesOf(tools: ExportTools, item: TransferItem): AsyncIterable<string> {
  switch (item.type) {
    case "list":
      return listLines(tools, item.key);
    case "index":
      return rowLines(tools, item);
    case "jobFiles":
    case "ticketFiles":
    case "bucketFiles":
      return fileLines(tools, item);
    case "monitorData":
      return seriesLines(tools, item);
    case "statData":
      return logLines(tools, item.type);
    case "state":
      return stateLines(tools);
    case "engineData":
      return ownLines(tools);
    default:
      return keyedLines(tools, item.type);
  }
}

function rowLines(tools: ExportTools, item: Extract<TransferItem, { readonly type: "index" }>): AsyncIterable<string> {
  const found = tableOf(tools, item.index);
  if (!found) throw unknownItem(item.index);
  const { table, collection } = found;
  return eachBatch(tools, {
    collection,
    where: conditionOf(tools, item.index, item.query),
    // An export of all rows is sorted by id, which grows with time and is indexed. A bounded one takes the newest rows by time.
    sortBy: item.max_rows > 0 ? table.newest : "id",
    descending: true,
    most: item.max_rows,
    line: (tx, record: { id: string }) =>
      table.read
        ? table.read(tools.cradle, tx, record as never).then((row) => rowLine(item.index, row as { id: string }))
        : rowLine(item.index, record),
  });
}

/** Characters sent at a time. */
const CHUNK = 65_536;

/** Encodes texts as bytes, and joins them into pieces large enough to be worth a turn of the event loop. */
export async function* packed(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let waiting = "";
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK) continue;
    yield Buffer.from(waiting);
    waiting = "";
  }
  if (waiting !== "") yield Buffer.from(waiting);
}
