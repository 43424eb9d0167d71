import { type Signal, signal } from "@preact/signals";

/** What all charts of a page point at. */
export interface TimeCursor {
  readonly key: string;
  /** Unix seconds; undefined while nobody points. */
  readonly at: Signal<number | undefined>;
}

let cursors = 0;
export function createTimeCursor(): TimeCursor {
  cursors += 1;
  return { key: `page ${cursors}`, at: signal(undefined) };
}
