/** Seconds before each further attempt at a mail (docs/contract/mail.md#sending). */
const PAUSES = [60, 300, 1800];

/** True for failures after which, by the mailer's word, the same mail may be taken later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof Error && (error as { readonly temporary?: unknown }).temporary === true;

/** Seconds until the next attempt after `failures` failed ones; undefined = no more attempts. */
export const pauseAfter = (failures: number): number | undefined => PAUSES[failures - 1];

/** The same, where the last attempt failed with `error`. */
export const retryPause = (error: unknown, failures: number): number | undefined =>
  isTemporary(error) ? pauseAfter(failures) : undefined;
