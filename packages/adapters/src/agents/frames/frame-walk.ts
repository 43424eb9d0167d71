import { unmask } from "./unmask.ts";

/** Result of a walk over some bytes. */
export interface Step {
  /** Index behind the last byte that belongs to it. */
  readonly end: number;
  /** Frames that came to their end. */
  readonly frames: number;
  /** The last of them closes the connection: nothing counts after it. */
  readonly isClosed: boolean;
}

/**
 * A reader of frame headers (RFC 6455 §5.2): it finds the end of each frame and does not read payloads. It takes the
 * mask off a longer payload that lies in one piece, and leaves zeros in place of the mask, which `ws` skips.
 */
export interface FrameWalk {
  /** Goes on behind the last step; ends with the bytes, after `maxFrames`, or after a close frame. */
  step(bytes: Buffer, maxFrames: number): Step;
  /** The payload of a frame has begun and is not over. */
  isInside(): boolean;
}

const OPCODE = 0x0f;
const CLOSE = 0x08;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** Bytes of a payload; `ws` takes the mask off shorter ones as fast. */
const MIN_UNMASKED = 256;
const LENGTH = 0x7f;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

interface State {
  at: "opcode" | "length" | "longer" | "payload";
  opcode: number;
  /** Bytes of the longer length that are still to come. */
  lengthLeft: number;
  /** Bytes of the mask and the payload that are still to come. */
  left: number;
  /** Value of `left` at their beginning. */
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

/** Takes one byte of a head, or all there is of a payload; returns how many bytes it took. */
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
