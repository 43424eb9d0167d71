import { type Signal, signal } from "@preact/signals";

/** The time that the pointer marks in all charts of a page. */
export interface TimeCursor {
  /** Unix seconds; undefined while nothing is pointed at. */
  readonly at: Signal<number | undefined>;
}

export const createTimeCursor = (): TimeCursor => ({ at: signal(undefined) });
