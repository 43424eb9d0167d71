/** From the third line on colour alone does not tell lines apart. */
export const DASHES = [undefined, undefined, "6 4", "2 3", "10 3 2 3", "4 2"] as const;
/** The same for the key above the chart. */
export const DASH_NAMES = ["solid", "solid", "dashed", "dotted", "dashed", "dashed"] as const;
