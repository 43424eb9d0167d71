import { unmask } from "./unmask.ts";

/** Result of walking over some bytes. */
export interface Step {
  /** Index after the last byte that was walked. */
  readonly end: number;
  /** Number of frames that were completed. */
  readonly frames: number;
  /** The last frame closes the connection; later bytes do not count. */
  readonly isClosed: boolean;
}

/**
 * Reads frame headers (RFC 6455 §5.2) to find the end of each frame; does not read payloads. It unmasks longer payloads
 * that arrive in one piece, and zeroes the mask, so that `ws` skips it.
 */
export interface FrameWalk {
  /** Continues after the last step. Stops at the end of the bytes, after `maxFrames`, or after a close frame. */
  step(bytes: Buffer, maxFrames: number): Step;
  /** True within the payload of a frame. */
  isInside(): boolean;
}

const OPCODE = 0x0f;
const CLOSE = 0x08;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** Bytes of a payload; below that, `ws` unmasks as fast. */
const MIN_UNMASKED = 256;
const LENGTH = 0x7f;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

interface State {
  at: "opcode" | "length" | "longer" | "payload";
  opcode: number;
  /** Bytes of the extended length that are still missing. */
  lengthLeft: number;
  /** Bytes of mask and payload that are still missing. */
  left: number;
  /** Value of `left` at the start of mask and payload. */
  size: number;
  mask: number;
}

export function createFrameWalk(): FrameWalk {
  const state: State = { at: "opcode", opcode: 0, lengthLeft: 0, left: 0, size: 0, mask: 0 };
  return {
    step(bytes, maxFrames) {
      let [end, frames] = [0, 0];
      while (end < bytes.length) {
        end += advance(state, bytes, end);
        if (state.at !== "payload" || state.left > 0) continue;
        state.at = "opcode";
        frames += 1;
        const isClosed = state.opcode === CLOSE;
        if (isClosed || frames === maxFrames) return { end, frames, isClosed };
      }
      return { end, frames, isClosed: false };
    },
    isInside: () => state.at === "payload",
  };
}

/** Consumes one byte of a header, or all available bytes of a payload; returns the number of bytes. */
function advance(state: State, bytes: Buffer, index: number): number {
  const byte = bytes[index] ?? 0;
  switch (state.at) {
    case "opcode":
      state.opcode = byte & OPCODE;
      state.at = "length";
      return 1;
    case "length":
      readLength(state, byte);
      return 1;
    case "longer":
      state.left = state.left * 256 + byte;
      state.lengthLeft -= 1;
      if (state.lengthLeft === 0) beginPayload(state);
      return 1;
    case "payload": {
      const taken = Math.min(state.left, bytes.length - index);
      if (state.mask > 0 && taken === state.size && taken >= MIN_UNMASKED)
        takeMaskOff(bytes.subarray(index, index + taken));
      state.left -= taken;
      return taken;
    }
  }
}

function readLength(state: State, byte: number): void {
  const length = byte & LENGTH;
  state.mask = (byte & MASKED) === 0 ? 0 : MASK_BYTES;
  state.left = 0;
  if (length >= TWO_BYTES) {
    state.lengthLeft = length === EIGHT_BYTES ? 8 : 2;
    state.at = "longer";
  } else {
    state.left = length;
    beginPayload(state);
  }
}

function beginPayload(state: State): void {
  state.left += state.mask;
  state.size = state.left;
  state.at = "payload";
}

function takeMaskOff(masked: Buffer): void {
  const mask = masked.subarray(0, MASK_BYTES);
  unmask(masked.subarray(MASK_BYTES), mask);
  mask.fill(0);
}
