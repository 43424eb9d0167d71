/** One leaf of the global state; the id is its dotted key. */
export interface StateEntry {
  id: string;
  /** Text, number, boolean or list; objects are spread over keys of their own. */
  readonly value: unknown;
}
