/** Seconds before each further attempt at a mail (docs/contract/mail.md#sending). */
const PAUSES = [60, 300, 1800];

/** Whether the mailer reports the failure as temporary: it may accept the same mail later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof Error && (error as { readonly temporary?: unknown }).temporary === true;

/** Seconds until the next attempt after `failures` failed attempts; undefined = give up. */
export const pauseAfter = (failures: number): number | undefined => PAUSES[failures - 1];

/** The same when the last attempt failed with `error`; undefined if the failure is permanent. */
export const retryPause = (error: unknown, failures: number): number | undefined =>
  isTemporary(error) ? pauseAfter(failures) : undefined;
