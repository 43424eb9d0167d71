/** Theirs, with the members over it that differ in mine from the version that the editing began with. */
export const rebased = <Form extends object>(base: Form, mine: Form, theirs: Form): Form => ({
  ...theirs,
  ...Object.fromEntries(
    Object.entries(mine).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify((base as Record<string, unknown>)[name]),
    ),
  ),
});
