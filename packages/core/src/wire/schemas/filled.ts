/** A record of which some members are there, though it may be stored without them. */
export type Filled<T, Member extends keyof T> = T & { readonly [Name in Member]-?: NonNullable<T[Name]> };

type Members = Readonly<Record<string, unknown>>;

/** A record whose members that are `null` or absent have their defaults (docs/contract/records.md#updates). */
export function filled<T extends object, D extends object>(record: T, defaults: D): Filled<T, keyof T & keyof D> {
  const lacking = Object.entries(defaults).filter(([member]) => ((record as Members)[member] ?? null) === null);
  return (lacking.length === 0 ? record : { ...record, ...Object.fromEntries(lacking) }) as never;
}

/** `filled` for readers of stored records: one that lacks a member has one copy, so that it can be told by identity. */
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
