const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** True where both have changed the form since it was opened, and not to the same: somebody has to choose. */
export const areAtOdds = (base: object, mine: object, theirs: object): boolean =>
  !isSame(mine, base) && !isSame(theirs, base) && !isSame(mine, theirs);

/** Theirs, with the members over it that differ in mine from the version that the editing began with. */
export const rebased = <Form extends object>(base: Form, mine: Form, theirs: Form): Form => ({
  ...theirs,
  ...Object.fromEntries(
    Object.entries(mine).filter(([name, value]) => !isSame(value, (base as Record<string, unknown>)[name])),
  ),
});
