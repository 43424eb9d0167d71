import { isLargeData } from "../../../lib/json/json-size.ts";
import { isReservedWord } from "../../../wire/fields/reserved.ts";

type Data = Readonly<Record<string, unknown>>;

/** Bytes of the JSON text of one server's user data (docs/contract/servers.md#operations-on-servers). */
const MAX_USER_DATA = 256 * 1024;

export const isTooLarge = (data: Data): boolean => isLargeData(data, MAX_USER_DATA);

/** The first top-level key that is reserved. */
export const illegalKey = (data: Data): string | undefined => Object.keys(data).find(isReservedWord);

/** Merges by top-level member, or replaces everything. */
export const mergedData = (stored: Data | null | undefined, sent: Data, replace: boolean): Record<string, unknown> =>
  replace ? { ...sent } : { ...stored, ...sent };
