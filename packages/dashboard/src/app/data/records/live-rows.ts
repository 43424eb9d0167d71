import { signal } from "@preact/signals";
import { asError, oneAtATime } from "../calls/load.ts";

export interface Row {
  readonly id: string;
}

/** A change of one record, as the live channel sends it. */
export interface Single {
  readonly item: Row & { readonly online?: boolean };
  readonly delete?: boolean;
}

function withOne(rows: readonly Row[], { item, delete: isDeleted }: Single): readonly Row[] {
  if (isDeleted === true || item.online === false) return rows.filter(({ id }) => id !== item.id);
  const isKnown = rows.some(({ id }) => id === item.id);
  return isKnown ? rows.map((row) => (row.id === item.id ? item : row)) : [...rows, item];
}

/** Shortest and longest wait between two tries while a list cannot be read. */
const FIRST_WAIT_MS = 5000;
const LAST_WAIT_MS = 60_000;

/** Retries a piece of work with a wait that doubles each time, until `wentWell` is called. */
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

/** A list that is loaded once and then kept up to date by live changes, including changes that come while it loads. */
export function createRows(read: () => Promise<readonly Row[]>) {
  const rows = signal<readonly Row[] | undefined>(undefined);
  /** Changes that came since the request; undefined when a complete list has come since, which is newer than the answer. */
  let since: Single[] | undefined;
  const retry = createRetry(() => ask());
  const ask = oneAtATime(async () => {
    since = [];
    try {
      const answer = await read();
      if (since) rows.value = since.reduce(withOne, answer);
      retry.wentWell();
    } catch (reason) {
      // A list that the viewer may not see counts as empty; one that could not be read stays unknown.
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
    rows,
    ask,
    /** Takes a complete list from the channel. */
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
