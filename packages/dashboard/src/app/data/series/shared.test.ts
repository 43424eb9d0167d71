import { expect, test } from "vitest";
import { createShared } from "./shared.ts";

/** An answer that rejects when its signal is aborted, like requests do. */
const answering = (signal: AbortSignal, text: string) => () =>
  new Promise<string>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("given up")));
    setImmediate(() => resolve(text));
  });

test("a request that one page gives up is repeated by the next page", async () => {
  const shared = createShared<string>({ ms: 1000, most: 10 }, () => 0);
  const [left, next] = [new AbortController(), new AbortController()];
  const first = shared("disk", left.signal, answering(left.signal, "first"));
  left.abort();
  const second = shared("disk", next.signal, answering(next.signal, "second"));
  await expect(first).rejects.toThrow("given up");
  expect(await second).toBe("second");
  expect(await shared("disk", next.signal, answering(next.signal, "third"))).toBe("second");
});

test("an answer is shared for its time, and no longer", async () => {
  let now = 0;
  const shared = createShared<string>({ ms: 1000, most: 10 }, () => now);
  const { signal } = new AbortController();
  const asked = (text: string) => shared("disk", signal, answering(signal, text));
  expect(await asked("first")).toBe("first");
  now = 999;
  expect(await asked("second")).toBe("first");
  now = 1000;
  expect(await asked("third")).toBe("third");
});
