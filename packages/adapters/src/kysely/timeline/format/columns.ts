import { type ByteReader, type ByteWriter, unzigzag, zigzag } from "./bytes.ts";

/**
 * A column of numbers is encoded as a mode byte and a body. In modes 0–29 the numbers are integers after multiplication by a
 * power of ten (`mode % 10`): one number for all (0–9), differences (10–19), or differences of differences (20–29).
 */
const ONE = 0;
const DIFFERENCES = 10;
const CURVES = 20;
/** The eight bytes of each number, XORed with the bytes of the previous number, most significant first. */
const RAW = 30;

const SCALES = Array.from({ length: 10 }, (_unused, digits) => 10 ** digits);
/** Below this, differences of differences and their zigzag numbers are exact. */
const LARGEST = 2 ** 50;

/** Writes columns of the same length, exact to the bit. */
export interface ColumnWriter {
  /** The values; fill them before each `write`. */
  readonly values: Float64Array;
  write(out: ByteWriter): void;
}

export function columnWriter(length: number): ColumnWriter {
  const values = new Float64Array(length);
  const whole = new Float64Array(length);
  const differences = new Float64Array(length);
  const curves = new Float64Array(length);
  const writeWhole = (out: ByteWriter, digits: number): void => {
    const scale = SCALES[digits] as number;
    for (let place = 0; place < length; place++) whole[place] = Math.round((values[place] as number) * scale);
    if (isUniform(whole)) {
      out.byte(ONE + digits);
      out.varint(zigzag(whole[0] ?? 0));
      return;
    }
    subtractPrevious(whole, differences);
    subtractPrevious(differences, curves);
    const isCurved = sizeOf(curves) < sizeOf(differences);
    out.byte((isCurved ? CURVES : DIFFERENCES) + digits);
    out.zigzags(isCurved ? curves : differences);
  };
  return {
    values,
    write(out) {
      const digits = commonDigits(values);
      if (digits === undefined) writeRaw(out, values);
      else writeWhole(out, digits);
    },
  };
}

/** Throws `RangeError` for bytes that are not a valid column. */
export function readColumn(input: ByteReader, length: number): Float64Array {
  const mode = input.byte();
  if (mode === RAW) return readRaw(input, length);
  if (mode > RAW) throw new RangeError(`There is no column mode ${mode}`);
  const scale = SCALES[mode % 10] ?? 1;
  if (mode < DIFFERENCES) return new Float64Array(length).fill(unzigzag(input.varint()) / scale);
  const values = new Float64Array(length);
  let value = 0;
  let step = 0;
  for (let index = 0; index < length; index++) {
    const number = unzigzag(input.varint());
    step = mode < CURVES ? number : step + number;
    value += step;
    values[index] = value / scale;
  }
  return values;
}

/** The fewest decimal places that reproduce all values exactly; undefined if there are none. */
function commonDigits(values: Float64Array): number | undefined {
  let digits = 0;
  let raised = 0;
  for (let place = 0; place < values.length; place++) {
    while (!isExact(values[place] as number, digits)) {
      if (++digits === SCALES.length) return undefined;
      raised = place;
    }
  }
  // Values checked with fewer decimals must also be exact with the final number of decimals.
  for (let place = 0; place < raised; place++) if (!isExact(values[place] as number, digits)) return undefined;
  return digits;
}

function isExact(value: number, digits: number): boolean {
  const scale = SCALES[digits] as number;
  const whole = Math.round(value * scale);
  if (!(whole <= LARGEST && whole >= -LARGEST) || whole / scale !== value) return false;
  // Minus zero equals zero, but no integer represents it.
  return value !== 0 || 1 / value > 0;
}

function isUniform(values: Float64Array): boolean {
  const first = values[0];
  for (let place = 1; place < values.length; place++) if (values[place] !== first) return false;
  return true;
}

function subtractPrevious(values: Float64Array, differences: Float64Array): void {
  let before = 0;
  for (let place = 0; place < values.length; place++) {
    const value = values[place] as number;
    differences[place] = value - before;
    before = value;
  }
}

/** Number of bytes that the encoded numbers take. */
function sizeOf(values: Float64Array): number {
  let size = values.length;
  for (let place = 0; place < values.length; place++)
    for (let left = Math.abs(values[place] as number); left >= 64; left /= 128) size += 1;
  return size;
}

function writeRaw(out: ByteWriter, values: Float64Array): void {
  out.byte(RAW);
  const bytes = bytesOf(values);
  for (let plane = 7; plane >= 0; plane--) {
    let before = 0;
    for (let place = plane; place < bytes.length; place += 8) {
      const value = bytes[place] ?? 0;
      out.byte(value ^ before);
      before = value;
    }
  }
}

function readRaw(input: ByteReader, length: number): Float64Array {
  const bytes = new Uint8Array(length * 8);
  for (let plane = 7; plane >= 0; plane--) {
    let before = 0;
    for (let place = plane; place < bytes.length; place += 8) {
      before ^= input.byte();
      bytes[place] = before;
    }
  }
  const values = new Float64Array(length);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < length; index++) values[index] = view.getFloat64(index * 8, true);
  return values;
}

function bytesOf(values: Float64Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 8));
  for (const [index, value] of values.entries()) view.setFloat64(index * 8, value, true);
  return new Uint8Array(view.buffer);
}
