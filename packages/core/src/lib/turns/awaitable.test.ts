import { describe, expect, it } from "vitest";
import { adopt, andThen } from "./awaitable.ts";

const double = (value: number): number => value * 2;

describe("andThen", () => {
  it("continues at once with a value that is available", () => {
    expect(andThen(21, double)).toBe(42);
  });

  it("waits for a promise", async () => {
    const answer = andThen(Promise.resolve(21), double);
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toBe(42);
  });

  it("throws errors of synchronous work at once, and rejects with later ones", async () => {
    const fail = (): never => {
      throw new Error("no");
    };
    expect(() => andThen(1, fail)).toThrow("no");
    await expect(andThen(Promise.resolve(1), fail)).rejects.toThrow("no");
    await expect(andThen(Promise.reject(new Error("never")), double)).rejects.toThrow("never");
  });
});

describe("adopt", () => {
  it("makes a promise of another thenable", async () => {
    // biome-ignore lint/suspicious/noThenProperty: query builders are such objects
    const builder = { then: (resolve: (value: number) => void) => resolve(21) };
    const answer = adopt<unknown>(builder);
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toBe(21);
  });

  it.each([[undefined], [null], ["text"], [{ id: "r1" }], [Promise.resolve(1)]])("leaves %o alone", (value) => {
    expect(adopt<unknown>(value)).toBe(value);
  });
});
