/** A record in which some members are certainly present, although it may be stored without them. */
export type Filled<T, Member extends keyof T> = T & { readonly [Name in Member]-?: NonNullable<T[Name]> };

type Members = Readonly<Record<string, unknown>>;

/** A record with defaults for its members that are `null` or absent (docs/contract/records.md#updates). */
export function filled<T extends object, D extends object>(record: T, defaults: D): Filled<T, keyof T & keyof D> {
  const lacking = Object.entries(defaults).filter(([member]) => ((record as Members)[member] ?? null) === null);
  return (lacking.length === 0 ? record : { ...record, ...Object.fromEntries(lacking) }) as never;
}

/**
 * `filled` for readers of stored records: each incomplete record is copied only once, so that copies can be compared by identity.
 */
export function createFill<T extends object, D extends object>(
  defaults: D,
): (record: T) => Filled<T, keyof T & keyof D> {
  const known = new WeakMap<T, Filled<T, keyof T & keyof D>>();
  return (record) => {
    const full = known.get(record) ?? filled(record, defaults);
    if (full !== record) known.set(record, full);
    return full;
  };
}
