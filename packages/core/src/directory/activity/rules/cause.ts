/** Marks a row of the activity log that a hook itself caused; only code can set it, and it is not stored. */
const OWN = Symbol("caused by a system hook");

type Detail = Readonly<Record<string, unknown>>;

export const causedByHook = (detail: Detail): Detail => ({ ...detail, [OWN]: true });

/**
 * A hook must not fire for rows that its own ticket caused: that would never end (docs/contract/mail.md#system-hooks).
 */
export const isCausedByHook = (detail: object): boolean => (detail as { readonly [OWN]?: true })[OWN] === true;
