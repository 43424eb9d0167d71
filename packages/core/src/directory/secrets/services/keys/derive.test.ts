import { describe, expect, test } from "vitest";
import { createLine, deriveKey, deriveWidth } from "./derive.ts";

test("the key of the test vector is derived", async () => {
  const salt = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");
  expect((await deriveKey("correct horse battery staple", salt)).toString("hex")).toBe(
    "d7590aca2c9801cf06eeba772a69dc31ce3862591d96522ac4e6bba6ad1f31a5",
  );
});

test.each([
  [1, 1],
  [2, 1],
  [4, 3],
  [64, 4],
])("of %i cores %i derive at once", (cores, width) => {
  expect(deriveWidth(cores)).toBe(width);
});

describe("the line", () => {
  test("runs so much at once and the rest in the order of its coming", async () => {
    const line = createLine(2, 10);
    const order: number[] = [];
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const runs = gates.map(({ promise }, index) =>
      line.run(async () => {
        order.push(index);
        await promise;
        return index;
      }),
    );
    expect(order).toEqual([0, 1]);
    gates[1]?.resolve();
    await runs[1];
    expect(order).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
  });

  test("refuses callers while it is full, and takes others again afterwards", async () => {
    const line = createLine(1, 1);
    const gate = Promise.withResolvers<void>();
    const runs = [line.run(() => gate.promise), line.run(async () => undefined)];
    await expect(line.run(async () => undefined)).rejects.toThrow("Too many secrets are being opened; try again.");
    gate.resolve();
    await Promise.all(runs);
    expect(await line.run(async () => "in")).toBe("in");
  });

  test("goes on after a failure", async () => {
    const line = createLine(1, 1);
    const failing = line.run(async () => {
      throw new Error("no");
    });
    const next = line.run(async () => "next");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("next");
  });
});
