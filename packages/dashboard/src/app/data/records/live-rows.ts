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

/** Between two tries while a list cannot be read, the first and the longest time. */
const FIRST_WAIT_MS = 5000;
const LAST_WAIT_MS = 60_000;

/** Plans the next try of a piece of work, each time after a longer wait, until it is told that the work went well. */
function createRetry(work: () => Promise<void>) {
  let waitMs = FIRST_WAIT_MS;
  let isPlanned = false;
  return {
    plan(): void {
      if (isPlanned) return;
      isPlanned = true;
      setTimeout(() => {
        isPlanned = false;
        work().catch(console.error);
      }, waitMs);
      waitMs = Math.min(LAST_WAIT_MS, waitMs * 2);
    },
    wentWell(): void {
      waitMs = FIRST_WAIT_MS;
    },
  };
}

/** A list that is asked for once and kept by its changes, also by changes that come while an answer is on its way. */
export function createRows(read: () => Promise<readonly Row[]>) {
  const rows = signal<readonly Row[] | undefined>(undefined);
  /** Told since the list was asked for; undefined when that answer is older than a whole list that was told. */
  let since: Single[] | undefined;
  const retry = createRetry(() => ask());
  const ask = oneAtATime(async () => {
    since = [];
    try {
      const answer = await read();
      if (since) rows.value = since.reduce(withOne, answer);
      retry.wentWell();
    } catch (reason) {
      // A list that the viewer may not see is empty for them; one that could not be read is not known.
      if (asError(reason).code === "access") rows.value ??= [];
      else {
        console.error(reason);
        retry.plan();
      }
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
