/** The text form of any value; a value without one (a record with a member `toString`) gets the default text of a record. */
export const toText = (value: unknown): string => {
  try {
    return String(value);
  } catch {
    // Only records fail here: their own members may shadow the conversion.
    return "[object Object]";
  }
};

/** The numeric form of any value, NaN if it has none. */
export const toNumber = (value: unknown): number => {
  if (typeof value === "number") return value;
  if (typeof value === "string") return Number(value);
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return Number(value);
  return typeof value === "object" ? Number(toText(value)) : Number.NaN;
};

/** The integer that a value starts with, NaN if there is none. Truncates numbers, so that `5e-7` is 0 and not 5. */
export const leadingInteger = (value: unknown): number => {
  if (typeof value === "number") return Number.isFinite(value) ? Math.trunc(value) : Number.NaN;
  return Number.parseInt(typeof value === "string" ? value : toText(value), 10);
};

/** The decimal number that a value starts with, truncated to two decimals; 0 if there is none. */
export const cutFloat = (value: unknown): number => {
  const number = typeof value === "number" ? value : Number.parseFloat(toText(value));
  if (!Number.isFinite(number)) return 0;
  const cut = Math.floor(number * 100) / 100;
  return Number.isFinite(cut) ? cut || 0 : number;
};

const byteUnits = ["K", "MB", "GB", "TB"];

/** Bytes as text. Each division truncates to one decimal, and the errors add up: 1023.99 MB never becomes 1 GB. */
export const formatBytes = (value: unknown): string => {
  let amount = leadingInteger(value);
  if (!(amount >= 1024)) return amount === 1 ? "1 byte" : `${amount} bytes`;
  let divisions = 0;
  while (amount >= 1024 && divisions < byteUnits.length) {
    amount = Math.floor((amount / 1024) * 10) / 10;
    divisions++;
  }
  return `${amount} ${byteUnits[divisions - 1]}`;
};

const plainDigits = /^\d+(\.\d+)?$/;

/** A share of `max` as text. Anything that is not written in plain digits (negative, tiny, not a number) becomes 0%. */
export const formatPercentage = (value: unknown, max?: unknown, cut?: unknown): string => {
  const share = (toNumber(value) * 100) / toNumber(max || 100);
  if (!plainDigits.test(String(share))) return "0%";
  return `${cut ? Math.floor(share) : Math.floor(share * 100) / 100}%`;
};
