import { oneLine } from "../../lib/text/one-line.ts";

/** A parsed list of addresses. */
export interface AddressList {
  /** Addresses as they appear in a header, without duplicates: `a@example.com`, `"Ann Lee" <ann@example.com>`. */
  readonly addresses: readonly string[];
  /** Entries that are not addresses. */
  readonly malformed: readonly string[];
}

/** Characters of a list, enough for several hundred addresses. */
const MAX_LIST = 65_536;
const MAX_ADDRESS = 320;
const MAX_NAME = 200;
const PLAIN = /^[^\s@<>()[\]\\,;:"]{1,128}@[^\s@<>()[\]\\,;:"]{1,255}$/;

/**
 * Parses comma-separated lists, each separately: an unclosed quote swallows the rest of its own list only. Addresses that differ
 * only in case are duplicates. Each address is rebuilt, so that nothing else gets into a header. A list that exceeds the
 * bound is malformed as a whole.
 */
export function readAddresses(...lists: readonly string[]): AddressList {
  const addresses = new Map<string, string>();
  const malformed: string[] = [];
  for (const entry of lists.flatMap((list) => (list.length > MAX_LIST ? [list] : splitList(list)))) {
    const read = entry.length > MAX_LIST ? undefined : readAddress(entry);
    if (!read) malformed.push(oneLine(entry.slice(0, MAX_ADDRESS)));
    else if (!addresses.has(read.key)) addresses.set(read.key, read.written);
  }
  return { addresses: [...addresses.values()], malformed };
}

/** Commas within quotes belong to a name. */
function splitList(list: string): string[] {
  const entries: string[] = [];
  let entry = "";
  let isQuoted = false;
  for (const letter of list) {
    if (letter === '"') isQuoted = !isQuoted;
    if (letter === "," && !isQuoted) {
      entries.push(entry);
      entry = "";
    } else entry += letter;
  }
  return [...entries, entry].map((each) => each.trim()).filter((each) => each !== "");
}

function readAddress(entry: string): { readonly key: string; readonly written: string } | undefined {
  const text = oneLine(entry);
  const open = openOf(text);
  const address = plainAddress(text);
  if (address.length > MAX_ADDRESS || !PLAIN.test(address)) return undefined;
  const name = open < 0 ? "" : nameOf(text.slice(0, open));
  return { key: address.toLowerCase(), written: name === "" ? address : `"${name}" <${address}>` };
}

/** The address without the name before it. */
export const plainAddress = (text: string): string => {
  const open = openOf(text);
  return (open < 0 ? text : text.slice(open + 1, -1)).trim();
};

const openOf = (text: string): number => (text.endsWith(">") ? text.lastIndexOf("<") : -1);

const nameOf = (text: string): string =>
  text
    .replace(/["\\<>]/g, "")
    .trim()
    .slice(0, MAX_NAME);
