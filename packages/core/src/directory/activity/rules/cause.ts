/** Marks a row of the activity log that a system hook caused. Only code can set it, and it is not stored. */
const OWN = Symbol("caused by a system hook");

type Detail = Readonly<Record<string, unknown>>;

export const causedByHook = (detail: Detail): Detail => ({ ...detail, [OWN]: true });

/**
 * True for rows that a hook's own ticket caused. Hooks must not fire for these, which would never end
 * (docs/contract/mail.md#system-hooks).
 */
export const isCausedByHook = (detail: object): boolean => (detail as { readonly [OWN]?: true })[OWN] === true;
