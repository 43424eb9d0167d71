import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFrameWalk } from "./frame-walk.ts";

/** A frame as clients send it; with `mask: false` one that only servers may send. */
function frame(opcode: number, length: number, { mask = true } = {}): Buffer {
  const first = 0x80 | opcode;
  const bit = mask ? 0x80 : 0;
  const head =
    length < 126
      ? Buffer.from([first, bit | length])
      : length < 65_536
        ? Buffer.from([first, bit | 126, length >> 8, length & 0xff])
        : Buffer.from([
            first,
            bit | 127,
            0,
            0,
            0,
            0,
            length >>> 24,
            (length >> 16) & 0xff,
            (length >> 8) & 0xff,
            length & 0xff,
          ]);
  return Buffer.concat([head, mask ? Buffer.from([1, 2, 3, 4]) : Buffer.alloc(0), Buffer.alloc(length, 0x88)]);
}

describe("a walk over frames", () => {
  test.each([
    ["an empty ping", frame(9, 0)],
    ["a short text", frame(1, 5)],
    ["the longest short text", frame(1, 125)],
    ["the shortest one with a length of two bytes", frame(1, 126)],
    ["the longest one with a length of two bytes", frame(1, 65_535)],
    ["a text with a length of eight bytes", frame(1, 65_536)],
    ["a text without a mask", frame(1, 5, { mask: false })],
    ["an empty text without a mask", frame(1, 0, { mask: false })],
  ])("ends with the last byte of %s, and not before", (_fact, bytes) => {
    const walk = createFrameWalk();
    expect(walk.step(bytes.subarray(0, -1), 9)).toEqual({ end: bytes.length - 1, frames: 0, isClosed: false });
    expect(walk.step(bytes.subarray(-1), 9)).toEqual({ end: 1, frames: 1, isClosed: false });
    expect(walk.isInside()).toBe(false);
  });

  test("stops after the given number of frames and continues after them", () => {
    const walk = createFrameWalk();
    const bytes = Buffer.concat([frame(9, 0), frame(9, 3), frame(1, 200)]);
    expect(walk.step(bytes, 2)).toEqual({ end: 15, frames: 2, isClosed: false });
    expect(walk.step(bytes.subarray(15), 2)).toEqual({ end: 208, frames: 1, isClosed: false });
  });

  test("stops after a close frame, also when bytes follow", () => {
    const walk = createFrameWalk();
    const bytes = Buffer.concat([frame(1, 2), frame(8, 2), frame(9, 0)]);
    expect(walk.step(bytes, 9)).toEqual({ end: 16, frames: 2, isClosed: true });
  });

  test("reports being inside a payload from its head to its last byte", () => {
    const walk = createFrameWalk();
    const bytes = frame(1, 300);
    const inside = [...bytes].map((byte) => {
      walk.step(Buffer.from([byte]), 1);
      return walk.isInside();
    });
    expect(inside).toEqual([...bytes].map((_, index) => index >= 3 && index < bytes.length - 1));
  });

  test("unmasks only a longer payload that lies in one piece", () => {
    const payload = Buffer.from("a text that is long enough ".repeat(20));
    const sent = frame(1, payload.length);
    const begin = sent.length - payload.length;
    for (const [index, byte] of payload.entries()) sent[begin + index] = byte ^ ((index % 4) + 1);
    const whole = Buffer.from(sent);
    createFrameWalk().step(whole, 9);
    expect(whole.subarray(begin - 4)).toEqual(Buffer.concat([Buffer.alloc(4), payload]));
    const [first, second] = [Buffer.from(sent.subarray(0, 300)), Buffer.from(sent.subarray(300))];
    const walk = createFrameWalk();
    expect([first, second].map((piece) => walk.step(piece, 9).frames)).toEqual([0, 1]);
    expect(Buffer.concat([first, second])).toEqual(sent);
    const short = frame(1, 200);
    createFrameWalk().step(short, 9);
    expect(short).toEqual(frame(1, 200));
  });

  test("finds the same frames however the bytes are split", () => {
    const lengths = fc.array(fc.oneof(fc.nat(200), fc.nat(70_000)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(lengths, fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1 }), (sent, cuts) => {
        const bytes = Buffer.concat(sent.map((length) => frame(1, length)));
        const walk = createFrameWalk();
        let frames = 0;
        for (let from = 0, turn = 0; from < bytes.length; turn++) {
          const to = from + (cuts[turn % cuts.length] ?? 1);
          frames += walk.step(bytes.subarray(from, to), 1000).frames;
          from = to;
        }
        expect(frames).toBe(sent.length);
      }),
    );
  });
});
