import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "@signalbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { type FileLoggerOptions, fileLogger } from "./file-logger.ts";

/** 2027-01-15 08:00:00 UTC */
const START = 1_800_000_000;
const DAY = 86_400;

async function setUp(options: Partial<FileLoggerOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-logs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clock = fakeClock(START);
  const log = fileLogger({ folder, clock, timeZone: "UTC", ...options });
  const text = async (name: string, day?: string): Promise<string | undefined> => {
    const content = await log.read(name, day);
    if (!content) return undefined;
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  return { clock, folder, log, text, names: async () => (await readdir(folder)).toSorted() };
}

test("an invalid zone is refused at once, not at the first line", async () => {
  await expect(setUp({ timeZone: "Nowhere/Here" })).rejects.toThrow("fileLogger: unknown time zone: Nowhere/Here");
});

describe("a write of the log", () => {
  const untilWritten = (path: string, text: string): Promise<void> =>
    expect.poll(() => readFile(path, "utf8").catch(() => ""), { interval: 5 }).toContain(text);

  test("happens at once after a silence, and then waits, except for an error", async () => {
    const { clock, folder, log } = await setUp();
    const path = join(folder, "Signalbox.2027-01-15.log");
    log.info({}, "first");
    await untilWritten(path, "first");
    log.info({}, "second");
    log.error({}, "a fault");
    await untilWritten(path, "a fault");
    expect(await readFile(path, "utf8")).toContain("second");
    log.info({}, "third");
    // Long enough for a write that does not wait.
    for (let turn = 0; turn < 100; turn += 1) await stat(path);
    expect(await readFile(path, "utf8")).not.toContain("third");
    await clock.advance(0.1);
    await untilWritten(path, "third");
  });

  test("of waiting lines is done by a reader", async () => {
    const { log, text } = await setUp();
    for (let at = 0; at < 3; at += 1) {
      log.info({}, `line ${at}`);
      expect(await text("Signalbox")).toContain(`line ${at}`);
    }
  });
});

describe("a line of the log", () => {
  test("has nine columns, and its file is named after its component and day", async () => {
    const { log, names, text } = await setUp();
    log.info({ component: "Secret", id: "z1", list: [["a"], ["b"]] }, "Using it");
    expect(await text("Secret")).toMatch(
      /^\[1800000000\.000\]\[2027-01-15 08:00:00\]\[[^\]]+\]\[\d+\]\[Secret\]\[debug\]\[1\]\[Using it\]\[\{"id":"z1","list":\[\["a"\],\["b"\]\]\}\]\n$/,
    );
    expect(await names()).toEqual(["Secret.2027-01-15.log"]);
  });

  test("of an error is also in the log of errors", async () => {
    const { log, text } = await setUp();
    log.error({ code: "secret", error: new Error("bad") }, "Failed");
    log.info({}, "Fine");
    expect(await text("Error")).toMatch(/\[Signalbox\]\[error\]\[secret\]\[Failed\]\[\{"error":\{"name":"Error"/);
    expect((await text("Signalbox"))?.split("\n")).toHaveLength(3);
    expect(await text("Nothing")).toBeUndefined();
  });

  test("about a change has its action as code, also below the level", async () => {
    const { log, text } = await setUp({ level: "error" });
    log.debug({ component: "Transaction", code: "tag_create", activity: "a1" }, "One");
    expect(await text("Transaction")).toContain('[Transaction][transaction][tag_create][One][{"activity":"a1"}]');
    log.error({ component: "Transaction", code: "db" }, "Failed");
    expect(await text("Error")).toContain("[Transaction][error][db][Failed]");
  });

  test("stays one line, and its columns stay apart", async () => {
    const { log, text } = await setUp();
    log.info({}, "a\nb\u001b[31m][c\u2028d");
    expect((await text("Signalbox"))?.match(/\[(a[^\n]*)\]\[\]\n$/)?.[1]).toBe("a b [31m] [c d");
  });

  test("shows no credentials, and accepts a value of any size or kind", async () => {
    const { log, text } = await setUp();
    log.info({ api_key: "s3cret", request: { headers: { Authorization: "s3cret" } } }, "x");
    log.info({ big: "y".repeat(100_000), circle: [1n, Number.NaN] }, "z".repeat(100_000));
    const written = (await text("Signalbox")) ?? "";
    expect(written).not.toContain("s3cret");
    expect(Math.max(...written.split("\n").map((line) => line.length))).toBeLessThan(20_000);
  });

  test("below the level is dropped", async () => {
    const { log, text } = await setUp({ level: "warn" });
    log.info({}, "no");
    log.warn({}, "yes");
    expect((await text("Signalbox"))?.match(/\[(?:yes|no)\]/g)).toEqual(["[yes]"]);
  });
});

describe("files of the log", () => {
  test("of past days are packed, read as before, and deleted after their time", async () => {
    const { clock, log, names, text } = await setUp();
    log.info({}, "first");
    await log.flush();
    clock.step(DAY);
    log.info({}, "second");
    await log.archive(30);
    expect(await names()).toEqual(["Signalbox.2027-01-15.log.gz", "Signalbox.2027-01-16.log"]);
    expect(await text("Signalbox", "2027-01-15")).toContain("[first]");
    expect(await text("Signalbox")).toContain("[second]");
    clock.step(30 * DAY);
    await log.archive(30);
    expect(await names()).toEqual(["Signalbox.2027-01-16.log.gz"]);
    clock.step(DAY);
    await log.archive(30);
    expect(await names()).toEqual([]);
  });

  test("full files become packed pieces, read in order; the oldest above the total bound are deleted", async () => {
    const { folder, log, names, text } = await setUp({ maxFileBytes: 4000, maxBytes: 6000 });
    for (let n = 0; n < 400; n++) {
      log.info({ n, noise: Math.random().toString(36).repeat(4) }, "counted");
      if (n % 10 === 9) await log.flush();
    }
    const numbers = [...((await text("Signalbox")) ?? "").matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_unused, index) => 400 - numbers.length + index));
    expect(numbers.length).toBeLessThan(400);
    const sizes = await Promise.all((await names()).map(async (name) => (await stat(join(folder, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6000 + 4000);
  });

  test("parts of an interrupted packing are removed, and the whole file is packed again", async () => {
    const { clock, folder, log, names, text } = await setUp();
    log.info({}, "first");
    await log.flush();
    await writeFile(join(folder, "Signalbox.2027-01-15.log.gz.part"), "half");
    clock.step(DAY);
    await log.archive(30);
    expect(await names()).toEqual(["Signalbox.2027-01-15.log.gz"]);
    expect(await text("Signalbox", "2027-01-15")).toContain("[first]");
  });

  test("of other programs are left alone", async () => {
    const { folder, log, names } = await setUp();
    await writeFile(join(folder, "notes.txt"), "mine");
    await log.archive(1);
    expect(await names()).toEqual(["notes.txt"]);
    expect(await readFile(join(folder, "notes.txt"), "utf8")).toBe("mine");
  });

  test("are fifty at most, for any names of components", async () => {
    const { log, names } = await setUp();
    for (let n = 0; n < 200; n++) log.info({ component: `../part ${n}` }, "x");
    await log.flush();
    expect((await names()).length).toBeLessThanOrEqual(50);
    expect((await names()).every((name) => /^\w+\.2027-01-15\.log$/.test(name))).toBe(true);
  });

  test("files that cannot be written fail no caller, and waiting lines are bounded", async () => {
    const { folder, log } = await setUp();
    await writeFile(join(folder, "file"), "");
    const broken = fileLogger({ folder: join(folder, "file", "logs") });
    for (let n = 0; n < 1000; n++) broken.error({ text: "x".repeat(8000) }, "x");
    await broken.flush();
    for (let n = 0; n < 2000; n++) log.info({ text: "x".repeat(8000) }, "x");
    await log.flush();
    const written = await readFile(join(folder, "Signalbox.2027-01-15.log"), "utf8");
    expect(written.length).toBeLessThan(5_000_000);
    expect(written).toMatch(/\(\d+ lines were dropped here\)\n$/);
  });
});
