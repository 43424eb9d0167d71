import { spawn } from "node:child_process";
import { once } from "node:events";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonLoggerOptions, jsonLogger } from "./json-logger.ts";

function capture(options: JsonLoggerOptions = {}) {
  const lines: string[] = [];
  const log = jsonLogger({ clock: { now: () => 1_800_000_000.25 }, write: (line) => lines.push(line), ...options });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "null") };
}

test("an entry is one line with time, level, message and fields", () => {
  const { log, lines } = capture();
  log.info({ server: "s1" }, "Server came");
  expect(lines).toEqual(['{"time":1800000000.25,"level":"info","msg":"Server came","server":"s1"}\n']);
});

test("a line feed in a text stays inside its line", () => {
  const { log, lines } = capture();
  log.info({ text: "a\nb" }, "x\ny");
  expect(lines[0]?.indexOf("\n")).toBe((lines[0]?.length ?? 0) - 1);
});

test("entries below the level are dropped", () => {
  const { log, lines } = capture({ level: "warn" });
  log.debug({}, "d");
  log.info({}, "i");
  log.warn({}, "w");
  log.error({}, "e");
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["w", "e"]);
});

test("an error shows name, message, stack, own members and cause", () => {
  const { log, last } = capture();
  const error = Object.assign(new TypeError("bad", { cause: new Error("root") }), { code: "EX" });
  log.error({ error }, "Failed");
  expect(last().error).toMatchObject({ name: "TypeError", message: "bad", code: "EX", cause: { message: "root" } });
  expect(last().error.stack).toContain("json-logger.test");
});

test("members named like credentials are redacted at every depth and in every spelling", () => {
  const { log, lines } = capture();
  const names = ["api_key", "session_id", "password", "secret_key", "authorization", "cookie", "token", "csrf_token"];
  for (const name of [...names, "x-api-key", "X-API-Key", "Authorization", "apiKey", "Set-Cookie"])
    log.info({ [name]: "s3cret", request: { headers: [{ [name]: "s3cret" }] } }, name);
  expect(lines.join("")).not.toContain("s3cret");
});

test("circular values are named, and a value used twice is shown twice", () => {
  const { log, last } = capture();
  const shared = { a: 1 };
  const circle: Record<string, unknown> = { one: shared, two: shared };
  circle["self"] = circle;
  log.info({ circle }, "x");
  expect(last().circle).toEqual({ one: { a: 1 }, two: { a: 1 }, self: "[circular]" });
});

test("a getter that throws costs its object, not the line", () => {
  const { log, last } = capture();
  const trap = {
    get boom(): never {
      throw new Error("no");
    },
  };
  log.info({ trap, ok: 1 }, "x");
  expect(last()).toMatchObject({ trap: "[unreadable]", ok: 1 });
});

test("values that JSON cannot express are written as text", () => {
  const { log, last } = capture();
  log.info({ big: 10n, nan: Number.NaN, when: new Date(0), fn: () => 1, map: new Map([["a", 1]]) }, "x");
  expect(last()).toMatchObject({ big: "10", nan: "NaN", when: "1970-01-01T00:00:00.000Z", map: [["a", 1]] });
});

test("fields do not replace time, level and message", () => {
  const { log, last } = capture();
  log.info({ msg: "other", level: "fatal", time: 1 }, "mine");
  expect(last()).toMatchObject({ msg: "mine", level: "info", time: 1_800_000_000.25 });
});

test("a sink that throws does not reach the caller", () => {
  const log = jsonLogger({
    write: () => {
      throw new Error("disk full");
    },
  });
  expect(() => log.error({}, "x")).not.toThrow();
});

test("every value gives one parsable line within the bound", () => {
  const { log, lines } = capture({ maxLineLength: 512 });
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }), (value) => {
      log.info({ value }, "x".repeat(300));
      const line = lines.pop() ?? "";
      expect(JSON.parse(line)).toHaveProperty("msg");
      expect(line.length).toBeLessThanOrEqual(513);
    }),
  );
});

test("a huge entry keeps its message and gives its length", () => {
  const { log, last } = capture({ maxLineLength: 1000 });
  log.info({ text: '"'.repeat(5000) }, "Huge");
  expect(last()).toMatchObject({ msg: "Huge", truncated: expect.any(Number) });
});

/** A program with a logger that runs `then` when it has been told to, and what it writes to its standard error. */
async function startProgram(then: string) {
  const logger = new URL("json-logger.ts", import.meta.url).href;
  const program = `
    import { setTimeout as pause } from "node:timers/promises";
    import { jsonLogger } from ${JSON.stringify(logger)};
    const log = jsonLogger();
    log.info({}, "Somebody reads this");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    ${then}
  `;
  const args = ["--conditions=@signalbox/source", "--input-type=module", "--eval", program];
  const child = spawn(process.execPath, args, { stdio: "pipe" });
  const told: string[] = [];
  child.stderr.on("data", (text) => told.push(String(text)));
  const [line] = await once(child.stdout, "data");
  expect(JSON.parse(String(line))).toMatchObject({ level: "info", msg: "Somebody reads this" });
  const warnings = () => told.join("").match(/(?<=cannot be written to the standard output: ).*/g);
  return { child, warnings };
}

test("a reader of the standard output that has ended does not end the program", async () => {
  const { child, warnings } = await startProgram(`
    for (let line = 0; line < 3; line++) {
      log.error({}, "Nobody reads this");
      await pause(1);
    }
    process.exit(7);
  `);
  child.stdout.destroy();
  await once(child.stdout, "close");
  child.stdin.end("go");
  expect(await once(child, "close")).toEqual([7, null]);
  expect(warnings()).toEqual(["EPIPE"]);
});

test("a reader of the standard output that does not read costs the program a bounded amount of memory", async () => {
  const { child, warnings } = await startProgram(`
    for (let line = 0; line < 2000; line++) log.error({ text: "x".repeat(16_000) }, "Nobody reads this");
    await pause(1);
    process.exit(process.stdout.writableLength < 9 * 1_048_576 ? 7 : 8);
  `);
  child.stdout.pause();
  child.stdin.end("go");
  const closed = once(child, "close");
  expect(await once(child, "exit")).toEqual([7, null]);
  child.stdout.resume();
  await closed;
  expect(warnings()).toEqual(["its reader does not read"]);
});
