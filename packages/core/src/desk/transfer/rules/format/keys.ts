import { isBlobKey } from "../../../../lib/files/blob-key.ts";
import { isReservedWord } from "../../../../wire/fields/reserved.ts";
import type { TransferNames } from "./names.ts";

/** Where a record of a file belongs in the storage (docs/contract/transfer.md#keys). */
export type Target =
  | { readonly kind: "list"; readonly name: string }
  | { readonly kind: "page"; readonly name: string; readonly page: number }
  | { readonly kind: "keyed"; readonly pattern: string; readonly id: string }
  | { readonly kind: "state" }
  | { readonly kind: "log"; readonly extra: string; readonly page: number | undefined }
  | {
      readonly kind: "series";
      readonly extra: string;
      readonly server: string;
      readonly resolution: string;
      readonly page: number | undefined;
    }
  | { readonly kind: "file"; readonly key: string }
  | { readonly kind: "own"; readonly collection: string; readonly id: string }
  | { readonly kind: "unknown" };

const UNKNOWN: Target = { kind: "unknown" };
/** Keys of collections that no other system knows begin with it. */
export const OWN_PREFIX = "signalbox/";
const ID = /^[\w.@-]{1,128}$/;
const OWN_ID = /^[^\p{C}]{1,400}$/u;
const PAGE = /^-?\d{1,9}$/;
/** Keys that a backup may write: files, and the output of jobs. */
const FILES = /^(?:files\/[^/]+\/[^/]+|logs\/jobs\/[^/]+\/log\.txt\.gz$)/;

export const isSafeId = (id: string): boolean => ID.test(id) && !/^\.+$/.test(id) && !isReservedWord(id);

/** The target of a key that a plugin has declared. Any other key is unknown, and its record is skipped. */
export function targetOf(key: string, maps: TransferNames): Target {
  if (key === "global/state") return { kind: "state" };
  if (key.startsWith("global/")) return globalTarget(key, maps);
  if (key.startsWith("timeline/")) return seriesTarget(key, maps);
  if (key.startsWith(OWN_PREFIX)) return ownTarget(key, maps);
  if (key.startsWith("files/") || key.startsWith("logs/")) return isFileKey(key) ? { kind: "file", key } : UNKNOWN;
  return keyedTarget(key, maps);
}

/** True for the key of a stored file. Keys without a file extension never are (docs/contract/transfer.md#keys). */
export const isFileKey = (key: string): boolean => FILES.test(key) && isBlobKey(key) && /\.\w+$/.test(key);

function globalTarget(key: string, { lists, logs }: TransferNames): Target {
  const [, name = "", number, ...rest] = key.split("/");
  if (rest.length > 0 || (number !== undefined && !PAGE.test(number))) return UNKNOWN;
  const page = number === undefined ? undefined : Number(number);
  for (const [extra, log] of logs) if (log.key === `global/${name}`) return { kind: "log", extra, page };
  if (!lists.has(name)) return UNKNOWN;
  return page === undefined ? { kind: "list", name } : { kind: "page", name, page };
}

function seriesTarget(key: string, { series }: TransferNames): Target {
  const [, server = "", resolution = "", number, ...rest] = key.split("/");
  const isPage = number === undefined || PAGE.test(number);
  if (rest.length > 0 || !isPage || !isSafeId(server)) return UNKNOWN;
  for (const [extra, { resolutions }] of series)
    if (Object.hasOwn(resolutions, resolution))
      return { kind: "series", extra, server, resolution, page: number === undefined ? undefined : Number(number) };
  return UNKNOWN;
}

function ownTarget(key: string, { own }: TransferNames): Target {
  const [, collection = "", ...rest] = key.split("/");
  const id = rest.join("/");
  return own.has(collection) && OWN_ID.test(id) && !isReservedWord(id) ? { kind: "own", collection, id } : UNKNOWN;
}

function keyedTarget(key: string, { keys }: TransferNames): Target {
  for (const [pattern, { within }] of keys) {
    const name = nameUnder(pattern, key);
    const [first = "", second] = name?.split("/") ?? [];
    if (name === undefined || (second !== undefined && first !== within)) continue;
    return isSafeId(second ?? first) ? { kind: "keyed", pattern, id: name } : UNKNOWN;
  }
  return UNKNOWN;
}

/** The name that stands for `*`: `b1` for `buckets/b1/data` under the pattern `buckets/*` + `/data`. It may have two segments. */
function nameUnder(pattern: string, key: string): string | undefined {
  const [before = "", after = ""] = pattern.split("*");
  const isUnder = key.startsWith(before) && key.endsWith(after) && key.length > before.length + after.length;
  const name = isUnder ? key.slice(before.length, key.length - after.length) : "";
  return /^[^/]+(?:\/[^/]+)?$/.test(name) ? name : undefined;
}

/** The key of a record under a pattern. */
export const keyOf = (pattern: string, id: string): string => pattern.replace("*", () => id);
