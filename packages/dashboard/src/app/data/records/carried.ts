/** A change of a list: its entries when somebody began, and as they want them. */
export interface ListChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The list as it is `now` with the same change: what others have put in or taken out meanwhile stays so. */
export const carried = ({ before, after }: ListChange, now: readonly string[]): string[] => [
  ...now.filter((entry) => after.includes(entry) || !before.includes(entry)),
  ...after.filter((entry) => !before.includes(entry) && !now.includes(entry)),
];

/** The change that takes another one back. */
export const reversed = ({ before, after }: ListChange): ListChange => ({ before: after, after: before });
