/** One leaf of the global state; the id is its dotted key. */
export interface StateEntry {
  id: string;
  /** Text, number, boolean or list; the members of an object are stored under separate keys. */
  readonly value: unknown;
}
