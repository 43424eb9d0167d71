/** Commands of the test to the host. */
export type Command =
  | { readonly kind: "minute"; readonly server: string; readonly temp: number }
  | { readonly kind: "look"; readonly server: string };

/** The stored state of the alert on one server. */
export interface Sight {
  readonly invocations: readonly {
    readonly id: string;
    readonly active: boolean;
    readonly codes: readonly unknown[];
  }[];
  /** Rows of activity. */
  readonly fired: number;
  readonly cleared: number;
  /** Queued work. */
  readonly open: number;
}
