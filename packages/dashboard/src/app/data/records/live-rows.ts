import { signal } from "@preact/signals";
import { asError, oneAtATime } from "../calls/load.ts";

export interface Row {
  readonly id: string;
}

/** One record that was changed, as the live channel tells it. */
export interface Single {
  readonly item: Row & { readonly online?: boolean };
  readonly delete?: boolean;
}

function withOne(rows: readonly Row[], { item, delete: isDeleted }: Single): readonly Row[] {
  if (isDeleted === true || item.online === false) return rows.filter(({ id }) => id !== item.id);
  const isKnown = rows.some(({ id }) => id === item.id);
  return isKnown ? rows.map((row) => (row.id === item.id ? item : row)) : [...rows, item];
}

/** A list that is asked for once and kept by its changes, also by changes that come while an answer is on its way. */
export function createRows(read: () => Promise<readonly Row[]>) {
  const rows = signal<readonly Row[] | undefined>(undefined);
  /** Told since the list was asked for; undefined when that answer is older than a whole list that was told. */
  let since: Single[] | undefined;
  const ask = oneAtATime(async () => {
    since = [];
    try {
      const answer = await read();
      if (since) rows.value = since.reduce(withOne, answer);
    } catch (reason) {
      // A list that the viewer may not see is empty for them.
      rows.value ??= [];
      if (asError(reason).code !== "access") console.error(reason);
    } finally {
      since = undefined;
    }
  });
  return {
    ...{ rows, ask },
    /** The whole list, as it was told. */
    take(told: readonly Row[]): void {
      since = undefined;
      rows.value = told;
    },
    put(single: Single): void {
      since?.push(single);
      const known = rows.peek();
      if (known) rows.value = withOne(known, single);
    },
  };
}
