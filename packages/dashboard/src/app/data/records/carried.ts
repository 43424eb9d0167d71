/** A change of a list: its entries when the edit began, and as the editor wants them. */
export interface ListChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Applies the change to the list as it is `now`, and keeps what others have added or removed meanwhile. */
export const carried = ({ before, after }: ListChange, now: readonly string[]): string[] => [
  ...now.filter((entry) => after.includes(entry) || !before.includes(entry)),
  ...after.filter((entry) => !before.includes(entry) && !now.includes(entry)),
];

/** The change that undoes another one. */
export const reversed = ({ before, after }: ListChange): ListChange => ({ before: after, after: before });
