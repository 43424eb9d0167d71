const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** True when both versions differ from the base and from each other, so that a person must choose. */
export const areAtOdds = (base: object, mine: object, theirs: object): boolean =>
  !isSame(mine, base) && !isSame(theirs, base) && !isSame(mine, theirs);

/** Lays the members that `mine` changed since `base` over `theirs`. */
export const rebased = <Form extends object>(base: Form, mine: Form, theirs: Form): Form => ({
  ...theirs,
  ...Object.fromEntries(
    Object.entries(mine).filter(([name, value]) => !isSame(value, (base as Record<string, unknown>)[name])),
  ),
});
