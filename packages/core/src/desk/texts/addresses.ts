import { oneLine } from "../../lib/text/one-line.ts";

/** A list of addresses as it was read. */
export interface AddressList {
  /** Addresses as they go into a header, each once: `a@example.com`, `"Ann Lee" <ann@example.com>`. */
  readonly addresses: readonly string[];
  /** Entries that are no address. */
  readonly malformed: readonly string[];
}

/** Characters of a list: some hundred addresses. */
const MAX_LIST = 65_536;
const MAX_ADDRESS = 320;
const MAX_NAME = 200;
const PLAIN = /^[^\s@<>()[\]\\,;:"]{1,128}@[^\s@<>()[\]\\,;:"]{1,255}$/;

/**
 * Reads comma lists, each by itself: a quote that is left open swallows the rest of its own list alone. The same address in other
 * letters is the same. Written anew, so that nothing else gets into a header. A list that is longer than any is malformed
 * as a whole.
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
