import { expect, test, vi } from "vitest";
import { createSignalbox, memoryStorage } from "../index.ts";
import { guardLogger, type Logger, silentLogger } from "./logger.ts";

test("a logger that throws causes no failure, and lines reach the others with their level", () => {
  const lines: unknown[] = [];
  const log: Logger = {
    debug: (fields, message) => lines.push("debug", fields, message),
    info: (fields, message) => lines.push("info", fields, message),
    warn: (fields, message) => lines.push("warn", fields, message),
    error: () => {
      throw new Error("The disk is full");
    },
  };
  const guarded = guardLogger(log);
  guarded.debug({}, "a");
  guarded.info({ n: 1 }, "b");
  guarded.warn({}, "c");
  expect(() => guarded.error({}, "d")).not.toThrow();
  expect(lines).toEqual(["debug", {}, "a", "info", { n: 1 }, "b", "warn", {}, "c"]);
});

test("a logger keeps its own this", () => {
  class Counting implements Logger {
    count = 0;
    debug(): void {
      this.count++;
    }
    info(): void {
      this.count++;
    }
    warn(): void {
      this.count++;
    }
    error(): void {
      this.count++;
    }
  }
  const log = new Counting();
  guardLogger(log).info({}, "x");
  expect(log.count).toBe(1);
});

test("the silent logger stays itself", () => {
  expect(guardLogger(silentLogger)).toBe(silentLogger);
});

test("without a logger only warnings and errors go to the console", async () => {
  const lines: unknown[][] = [];
  for (const level of ["debug", "info", "log", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void lines.push([level, ...words]));
  const engine = createSignalbox({ storage: memoryStorage(), secretKey: "a key of the tests" });
  engine.log.error({ n: 1 }, "broken");
  engine.log.warn({}, "odd");
  await engine.start();
  await engine.stop();
  vi.restoreAllMocks();
  expect(lines).toEqual([
    ["error", "signalbox: broken", { n: 1 }],
    ["warn", "signalbox: odd"],
  ]);
});
