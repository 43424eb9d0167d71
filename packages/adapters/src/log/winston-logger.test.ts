import { expect, test } from "vitest";
import { type WinstonShaped, winstonLogger } from "./winston-logger.ts";

test("each entry is one object with its level, its message and plain fields", () => {
  const entries: unknown[] = [];
  const log = winstonLogger({ log: (entry) => entries.push(entry) });
  log.debug({}, "100 %s");
  log.warn({ server: "s1", api_key: "hidden", level: "taken", message: "lost" }, "Server went");
  log.error({ error: new Error("no room", { cause: new Error("full") }) }, "It failed");
  expect(entries).toEqual([
    { level: "debug", message: "100 %s" },
    { level: "warn", message: "Server went", server: "s1", api_key: "[redacted]" },
    {
      level: "error",
      message: "It failed",
      error: expect.objectContaining({
        message: "no room",
        stack: expect.stringContaining("winston-logger.test"),
        cause: expect.objectContaining({ message: "full" }),
      }),
    },
  ]);
});

test("a value that is no logger is refused", () => {
  expect(() => winstonLogger({} as WinstonShaped)).toThrow("winstonLogger: it takes a logger of winston");
});
