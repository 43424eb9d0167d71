import type { TransferFiles } from "../../../kernel/plugins/transfer.ts";
import type { AnyCollection } from "../../../ports/storage/collection.ts";
import { everything, type SearchNode } from "../../../search/ast.ts";
import { isFileKey } from "../rules/format/keys.ts";
import { commentLine, recordLine } from "../rules/format/lines.ts";
import type { FilesItem } from "../rules/items.ts";
import { conditionOf, eachOwner, tableOf } from "./records.ts";
import type { ExportTools } from "./tools.ts";

const PAGE = 100;

/**
 * The stored files of records, each as one line of Base64. A file larger than the item allows is left out and mentioned in a
 * comment.
 */
export async function* fileLines(tools: ExportTools, item: FilesItem): AsyncGenerator<string> {
  for await (const key of fileKeysOf(tools, item)) {
    tools.signal.throwIfAborted();
    const line = await fileLine(tools, key, item.max_size);
    if (line !== undefined) yield line;
    await tools.breath();
  }
}

/** Keys of the files that an item names. */
export async function* fileKeysOf(tools: ExportTools, item: FilesItem): AsyncGenerator<string> {
  for (const files of tools.cradle.registry.transfer.files.values())
    if (files.item === item.type && isWanted(item, files)) yield* keysOf(tools, item, files);
}

async function* keysOf(tools: ExportTools, item: FilesItem, files: TransferFiles): AsyncGenerator<string> {
  for await (const owner of ownersOf(tools, item, files))
    for (const key of files.of(owner as never)) yield* key.endsWith("/") ? below(tools, key) : [key];
}

const isWanted = (item: FilesItem, { part }: TransferFiles): boolean =>
  item.type !== "jobFiles" || (part === "logs" ? item.logs : item.files);

function ownersOf(tools: ExportTools, item: FilesItem, { index, list }: TransferFiles): AsyncIterable<object> {
  const query = "query" in item ? item.query : "*";
  const most = "max_rows" in item ? item.max_rows : 0;
  const found = index === undefined ? undefined : tableOf(tools, index);
  const collection: AnyCollection | undefined =
    found?.collection ?? tools.cradle.registry.transfer.lists.get(list ?? "")?.collection;
  if (!collection) throw new Error(`Files of ${item.type} belong to nothing that is known`);
  const where: SearchNode = index === undefined ? everything : conditionOf(tools, index, query);
  return eachOwner(tools, { collection, where, sortBy: found?.table.newest ?? "id", descending: true, most });
}

async function* below({ cradle: { blobs } }: ExportTools, prefix: string): AsyncGenerator<string> {
  for (let keys: string[] = [], after = ""; after === "" || keys.length === PAGE; ) {
    keys = await blobs.list(prefix, { limit: PAGE, after });
    yield* keys;
    after = keys.at(-1) ?? prefix;
  }
}

/** The line of a file; undefined for a key without a file. */
async function fileLine(tools: ExportTools, key: string, maxSize: number): Promise<string | undefined> {
  if (!isFileKey(key)) return undefined;
  // A store fails if a file is replaced or deleted after it was found and before it is read, so this retries once.
  const pieces = await piecesOf(tools, key, maxSize).catch(() => piecesOf(tools, key, maxSize));
  if (!pieces) return undefined;
  if (pieces === "too large") {
    tools.count("files_left_out", 1);
    return commentLine(`Left out, larger than ${maxSize} bytes: ${ownerOf(key)}`);
  }
  tools.count("files", 1);
  return recordLine(key, Buffer.concat(pieces).toString("base64"));
}

async function piecesOf({ cradle: { blobs } }: ExportTools, key: string, maxSize: number) {
  const found = await blobs.get(key);
  if (!found) return undefined;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of found.content) {
    size += piece.length;
    if (size > maxSize) return "too large";
    pieces.push(piece);
  }
  return pieces;
}

/** File names within a key may be enough to open the file, so a comment mentions only the owner. */
const ownerOf = (key: string): string =>
  key
    .split("/")
    .slice(0, key.startsWith("files/jobs/") ? 3 : 2)
    .join("/");
