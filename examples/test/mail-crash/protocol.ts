/** What the test asks of the host. `n` names the answer; 0 is "ready". */
export type Command =
  | { readonly kind: "create"; readonly n: number; readonly id: string }
  | { readonly kind: "update"; readonly n: number; readonly id: string }
  /** Moves the clock on. */
  | { readonly kind: "shift"; readonly n: number; readonly seconds: number }
  | { readonly kind: "look"; readonly n: number; readonly id: string };

/** What is stored. */
export interface Sight {
  /** Status of the ticket; undefined = there is none. */
  readonly status: string | undefined;
  /** Queued work: mails to be made or sent. */
  readonly open: number;
}

export interface Reply {
  readonly n: number;
  readonly sight?: Sight;
  readonly error?: string;
}
