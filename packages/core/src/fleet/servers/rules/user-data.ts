import { isLargeData } from "../../../lib/json/json-size.ts";
import { isReservedWord } from "../../../wire/fields/reserved.ts";

type Data = Readonly<Record<string, unknown>>;

/** User data of one server (docs/contract/servers.md#operations-on-servers). Bytes of its JSON text. */
const MAX_USER_DATA = 256 * 1024;

export const isTooLarge = (data: Data): boolean => isLargeData(data, MAX_USER_DATA);

/** A top-level key that no data may have. */
export const illegalKey = (data: Data): string | undefined => Object.keys(data).find(isReservedWord);

/** Top-level members overwrite, or the whole is replaced. */
export const mergedData = (stored: Data | null | undefined, sent: Data, replace: boolean): Record<string, unknown> =>
  replace ? { ...sent } : { ...stored, ...sent };
