/** Commands of the test to the host. */
export type Command =
  | { readonly kind: "create"; readonly id: string }
  | { readonly kind: "update"; readonly id: string }
  /** Advances the clock. */
  | { readonly kind: "shift"; readonly seconds: number }
  | { readonly kind: "look"; readonly id: string };

/** The stored records. */
export interface Sight {
  /** Status of the ticket; undefined = there is none. */
  readonly status: string | undefined;
  /** Queued work: mails to compose or send. */
  readonly open: number;
}
