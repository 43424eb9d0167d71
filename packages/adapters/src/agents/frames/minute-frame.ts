/**
 * The text before the data of a minute, as agents write it: short plain members in ASCII, the data last. Anything else is
 * no less valid, and read like any other frame.
 */
const HEAD =
  /^\{"cmd":"monitor","data":\{(?:"\w{1,32}":(?:"[ !#-[\]-~]{0,512}"|-?[\d.eE+-]{1,32}|true|false|null),){0,16}"data":(?=\{)/;
const TAIL = "}}";

interface MinuteParts {
  /** A frame with null in place of the data. */
  readonly frame: string;
  /** Place of the data, when the frame is valid: as for `slice`, in its characters as in its bytes. */
  readonly from: number;
  readonly to: number;
}

/**
 * Takes the frame of a minute apart without looking at its data. If both parts are JSON, so is the whole, with the data
 * where they seem to be; then their text can be kept, and they need not be serialised again.
 */
export function splitMinute(text: string): MinuteParts | undefined {
  const [head] = HEAD.exec(text) ?? [];
  if (head === undefined || !text.endsWith(TAIL)) return undefined;
  return { frame: `${head}null${TAIL}`, from: head.length, to: -TAIL.length };
}
