import fc from "fast-check";
import { expect, test } from "vitest";
import { unmask } from "./unmask.ts";

test("removes a mask like byte by byte, wherever the payload lies and however long it is", () => {
  const sized = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), sized(4), fc.nat(7), (sent, mask, offset) => {
      const memory = Buffer.alloc(offset + sent.length + 3, 0xaa);
      const payload = memory.subarray(offset, offset + sent.length);
      payload.set(sent.map((byte, index) => byte ^ (mask[index % 4] as number)));
      unmask(payload, mask);
      expect([...payload]).toEqual([...sent]);
      expect([...memory.subarray(0, offset), ...memory.subarray(offset + sent.length)]).toEqual(
        Array.from({ length: offset + 3 }, () => 0xaa),
      );
    }),
  );
});
