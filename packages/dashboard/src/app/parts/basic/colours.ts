/** Hue of each named colour of records (docs/contract/categories.md#colours), in degrees of OKLCH. */
const HUES: Readonly<Record<string, number>> = {
  red: 27,
  fire: 38,
  tangerine: 50,
  orange: 58,
  amber: 72,
  gold: 86,
  yellow: 100,
  lemon: 106,
  lime: 124,
  grass: 138,
  green: 148,
  emerald: 158,
  mint: 166,
  teal: 182,
  turquoise: 188,
  aqua: 196,
  cyan: 206,
  ice: 218,
  skyblue: 236,
  azure: 248,
  blue: 260,
  sapphire: 268,
  indigo: 278,
  lavender: 290,
  violet: 298,
  purple: 306,
  orchid: 320,
  magenta: 328,
  fuchsia: 334,
  hotpink: 348,
  pink: 356,
  blush: 8,
  rose: 16,
};

/** A record's colour in CSS. CSS has other colours under the same names: its azure is nearly white. */
export function cssColour(name: string | null | undefined): string | undefined {
  if (!name) return undefined;
  if (name === "plain") return "light-dark(oklch(0.62 0.01 260), oklch(0.72 0.01 260))";
  const hue = HUES[name];
  if (hue !== undefined) return `light-dark(oklch(0.58 0.16 ${hue}), oklch(0.76 0.13 ${hue}))`;
  return CSS.supports("color", name) ? name : undefined;
}
