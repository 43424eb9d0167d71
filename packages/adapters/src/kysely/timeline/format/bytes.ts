/** A growing buffer; positions only move forward. */
export interface ByteWriter {
  byte(value: number): void;
  /** Writes an integer from 0 to 2^53. */
  varint(value: number): void;
  /** Whole numbers of any sign, exact below 2^52. */
  zigzags(values: Float64Array): void;
  text(value: string): void;
  bytes(value: Uint8Array): void;
  /** The bytes written; valid until the next write. */
  view(): Buffer;
}

export interface ByteReader {
  byte(): number;
  varint(): number;
  text(): string;
  bytes(length: number): Buffer;
}

const LARGEST_VARINT = 8;

/** Starts with a capacity of `size` bytes. */
export function byteWriter(size: number): ByteWriter {
  let buffer = Buffer.allocUnsafe(Math.max(16, size));
  let end = 0;
  const reserve = (length: number): void => {
    if (end + length <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + length));
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  };
  const varint = (value: number): void => {
    reserve(LARGEST_VARINT);
    let left = value;
    // Bit operations work only up to 31 bits.
    while (left >= 0x8000_0000) {
      buffer[end++] = (left % 128) | 128;
      left = Math.floor(left / 128);
    }
    while (left >= 128) {
      buffer[end++] = (left & 127) | 128;
      left >>>= 7;
    }
    buffer[end++] = left;
  };
  const bytes = (value: Uint8Array): void => {
    reserve(value.length);
    buffer.set(value, end);
    end += value.length;
  };
  return {
    varint,
    bytes,
    byte(value) {
      reserve(1);
      buffer[end++] = value;
    },
    zigzags(values) {
      reserve(values.length * LARGEST_VARINT);
      for (let place = 0; place < values.length; place++) {
        const value = zigzag(values[place] as number);
        if (value < 128) buffer[end++] = value;
        else varint(value);
      }
    },
    text(value) {
      if (value === "") return varint(0);
      const encoded = Buffer.from(value);
      varint(encoded.length);
      bytes(encoded);
    },
    view: () => buffer.subarray(0, end),
  };
}

/** Throws `RangeError` when reading past the end. */
export function byteReader(source: Uint8Array): ByteReader {
  const buffer = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let place = 0;
  const byte = (): number => {
    const value = buffer[place++];
    if (value === undefined) throw new RangeError("The bytes end too early");
    return value;
  };
  const varint = (): number => {
    let value = 0;
    let scale = 1;
    for (let length = 0; length < LARGEST_VARINT; length++) {
      const next = byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
      scale *= 128;
    }
    throw new RangeError("A number is too long");
  };
  const bytes = (length: number): Buffer => {
    if (place + length > buffer.length) throw new RangeError("The bytes end too early");
    place += length;
    return buffer.subarray(place - length, place);
  };
  return {
    byte,
    varint,
    bytes,
    text() {
      const length = varint();
      return length === 0 ? "" : bytes(length).toString();
    },
  };
}

/** Maps small negative numbers to small positive ones; exact below 2^52. */
export const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
export const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
