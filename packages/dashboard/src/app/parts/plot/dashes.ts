/** Patterns of lines: from the third line on, colour alone does not tell lines apart. */
const DASHES = [undefined, undefined, "6 4", "2 3", "10 3 2 3", "4 2"] as const;
/** Names of the same patterns, for the key above the chart. */
const DASH_NAMES = ["solid", "solid", "dashed", "dotted", "dashed", "dashed"] as const;

/**
 * Index of a line in the lists. Lines that may coincide skip the second solid pattern, so that the first line shows through the
 * second.
 */
const placeOf = (line: number, isAlike: boolean): number => (isAlike && line > 0 ? line + 1 : line) % DASHES.length;

export const dashOf = (line: number, isAlike = false): string | undefined => DASHES[placeOf(line, isAlike)];
export const dashNameOf = (line: number, isAlike = false): string => DASH_NAMES[placeOf(line, isAlike)] ?? "solid";
