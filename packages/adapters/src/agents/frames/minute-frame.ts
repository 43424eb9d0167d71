/**
 * The text before the data of a minute, as agents write it: short plain members in ASCII, with the data last. Frames
 * written differently are just as valid, and are parsed like any other frame.
 */
const HEAD =
  /^\{"cmd":"monitor","data":\{(?:"\w{1,32}":(?:"[ !#-[\]-~]{0,512}"|-?[\d.eE+-]{1,32}|true|false|null),){0,16}"data":(?=\{)/;
const TAIL = "}}";

interface MinuteParts {
  /** The frame with null in place of the data. */
  readonly frame: string;
  /** Range of the data for `slice`, if the frame is valid; the same in characters as in bytes. */
  readonly from: number;
  readonly to: number;
}

/**
 * Splits the frame of a minute without parsing its data. If both parts are valid JSON, so is the whole, with the data
 * where they appear to be. Their text can then be kept, and need not be serialised again.
 */
export function splitMinute(text: string): MinuteParts | undefined {
  const [head] = HEAD.exec(text) ?? [];
  if (head === undefined || !text.endsWith(TAIL)) return undefined;
  return { frame: `${head}null${TAIL}`, from: head.length, to: -TAIL.length };
}
