import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { winstonLogger } from "@signalbox/adapters/log";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { expect, test } from "vitest";

const apart = fileURLToPath(new URL("../../hosts-apart/", import.meta.url));
const isInstalled = existsSync(join(apart, "node_modules"));

test.skipIf(!isInstalled)("a logger of winston prints the engine's lines as JSON", async () => {
  const winston = createRequire(join(apart, "_"))("winston");
  const lines: string[] = [];
  const stream = new (await import("node:stream")).Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const transports = [new winston.transports.Stream({ stream })];
  const log = winstonLogger(winston.createLogger({ level: "debug", format: winston.format.json(), transports }));
  // An unknown member causes a warning.
  const config = { misspelt: true };
  const signalbox = createSignalbox({ storage: memoryStorage(), secretKey: "a secret key for winston", log, config });
  await signalbox.start();
  await signalbox.stop();
  log.error({ error: new Error("no room"), token: "hidden" }, "100 %s");
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries[0]).toMatchObject({ level: "warn", message: expect.stringContaining("misspelt") });
  expect(entries.at(-1)).toEqual({
    ...{ level: "error", message: "100 %s", token: "[redacted]" },
    error: expect.objectContaining({ message: "no room", stack: expect.any(String) }),
  });
});
