import type { Clock } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "../../../../core/test/code-point.ts";
import { createLineSplitter, createLogBuffer, pump } from "./job-output.ts";

test("text is held for 50 ms and sent in one piece", async () => {
  const clock = fakeClock();
  const sent: string[] = [];
  const buffer = createLogBuffer(clock, { maxBytes: 1000, send: (text) => sent.push(text) });
  buffer.write("a");
  await clock.advance(0.03);
  buffer.write("b");
  expect(sent).toEqual([]);
  await clock.advance(0.03);
  expect(sent).toEqual(["ab"]);
});

test("a full buffer is sent at once, in pieces of at most the bound", () => {
  const sent: string[] = [];
  const buffer = createLogBuffer(fakeClock(), { maxBytes: 4, send: (text) => sent.push(text) });
  buffer.write("abc");
  buffer.write("defghijkl");
  buffer.flush();
  expect(sent.join("")).toBe("abcdefghijkl");
  expect(Math.max(...sent.map((text) => text.length))).toBeLessThanOrEqual(4);
});

test("a long line is cut between its characters, not within one", () => {
  const sent: string[] = [];
  const buffer = createLogBuffer(fakeClock(), { maxBytes: 4, send: (text) => sent.push(text) });
  buffer.write("abc😀 done\n");
  buffer.flush();
  expect(Buffer.concat(sent.map((text) => Buffer.from(text))).toString()).toBe("abc😀 done\n");
});

test("however bytes are split, the lines are the same", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: codePoint })), fc.array(fc.nat(7)), (lines, cuts) => {
      const text = lines.map((line) => `${line.replaceAll("\n", "")}\n`).join("");
      const bytes = Buffer.from(text);
      const seen: string[] = [];
      const splitter = createLineSplitter((line) => seen.push(line));
      let at = 0;
      for (const cut of cuts) {
        splitter.write(bytes.subarray(at, at + cut));
        at += cut;
      }
      splitter.write(bytes.subarray(at));
      splitter.end();
      expect(seen).toEqual(
        bytes
          .toString()
          .split(/(?<=\n)/)
          .filter(Boolean),
      );
    }),
  );
});

test("a line without an end is cut, and nothing is lost", () => {
  const seen: string[] = [];
  const splitter = createLineSplitter((line) => seen.push(line));
  const megabyte = Buffer.alloc(1_048_576, "x");
  for (let count = 0; count < 20; count++) splitter.write(megabyte);
  splitter.end();
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.join("").length).toBe(20 * 1_048_576);
});

test("output above the rate is held back until the second is over", async () => {
  const clock = fakeClock();
  let taken = 0;
  const endless = (async function* () {
    for (;;) yield Buffer.alloc(1_048_576);
  })();
  const stopped = Promise.withResolvers<void>();
  const done = pump(
    endless,
    (chunk) => {
      taken += chunk.length;
    },
    { clock, stopped: stopped.promise },
  );
  await clock.advance(0.5);
  expect(taken).toBe(8 * 1_048_576);
  await clock.advance(0.6);
  expect(taken).toBe(16 * 1_048_576);
  stopped.resolve();
  await done;
});

test("a large piece of output yields to the loop", async () => {
  let monotonicMs = 0;
  // The clock advances with each reading.
  const clock: Clock = { ...fakeClock(), monotonicMs: () => (monotonicMs += 10) };
  const bytes = Buffer.from("line\n".repeat(20_000));
  let isOver = false;
  let turns = 0;
  const countTurns = (): void => {
    turns += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const pieces: Uint8Array[] = [];
  const output = (async function* () {
    yield bytes;
  })();
  await pump(output, (piece) => void pieces.push(piece), { clock, stopped: new Promise(() => undefined) });
  isOver = true;
  expect(Buffer.concat(pieces)).toEqual(bytes);
  expect(turns).toBeGreaterThanOrEqual(20);
});
