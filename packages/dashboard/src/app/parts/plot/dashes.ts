/** From the third line on colour alone does not tell lines apart. */
export const DASHES: readonly (readonly number[])[] = [[], [], [6, 4], [2, 3], [10, 3, 2, 3], [4, 2]];
/** The same for the key above the chart. */
export const DASH_NAMES = ["solid", "solid", "dashed", "dotted", "dashed", "dashed"] as const;
