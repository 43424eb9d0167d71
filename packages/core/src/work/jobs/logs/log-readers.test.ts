import { describe, expect, test } from "vitest";
import { line, read, setUp } from "../../../../test/work/log-setup.ts";

describe("the log of a running job", () => {
  test("contains stored output and waiting output", async () => {
    const at = await setUp();
    await at.write("one\n");
    at.logs.append("j1", "two\n", 4);
    expect(await read(at.logs.partial("j1"))).toBe("one\ntwo\n");
  });

  test("has no gap for a slow reader, whatever is written meanwhile", async () => {
    const at = await setUp();
    const lines = Array.from({ length: 120 }, (_, index) => line(index));
    await at.write(...lines);
    at.logs.append("j1", "waits\n", 0);
    let seen = "";
    for await (const piece of at.logs.partial("j1")) {
      if (seen === "") await at.write("later\n");
      seen += Buffer.from(piece).toString();
    }
    expect(seen).toBe(`${lines.join("")}waits\n`);
  });

  test("is complete when the job ends while it is read", async () => {
    const at = await setUp();
    const lines = Array.from({ length: 120 }, (_, index) => line(index));
    await at.write(...lines);
    let seen = "";
    for await (const piece of at.logs.partial("j1")) {
      if (seen === "") await at.finish();
      seen += Buffer.from(piece).toString();
    }
    expect(seen).toBe(lines.join(""));
  });

  test("of an unknown job is empty", async () => {
    const at = await setUp();
    expect(await read(at.logs.partial("j9"))).toBe("");
  });
});

describe("the new output", () => {
  test.each<[string, number, number, string | undefined]>([
    ["all", 0, 100, "one\ntwo\nthrée\nfour\n"],
    ["from the middle of a line", 6, 100, "o\nthrée\nfour\n"],
    ["on disk and in memory", 8, 100, "thrée\nfour\n"],
    ["in memory alone", 15, 100, "four\n"],
    ["the last lines of too much", 1, 11, "four\n"],
    ["just as much as there is room for", 8, 12, "thrée\nfour\n"],
    ["none", 20, 100, undefined],
    ["none for a reader who has more", 30, 100, undefined],
  ])("%s", async (_what, after, most, text) => {
    const at = await setUp();
    await at.write("one\n", "two\n", "thrée\n");
    at.logs.append("j1", "four\n", 15);
    const news = await at.storage.read((tx) => at.logs.news(tx, "j1", { after, most }));
    expect(news).toEqual(text && { sizeBytes: 20, text });
  });
});

describe("the tail", () => {
  test("begins at a line and ends with the waiting output", async () => {
    const at = await setUp();
    await at.write("one\n", "two\n", "three\n");
    at.logs.append("j1", "four\n", 14);
    expect(await at.tail(100)).toBe("one\ntwo\nthree\nfour\n");
    expect(await at.tail(12)).toBe("three\nfour\n");
    expect(await at.tail(11)).toBe("three\nfour\n");
    expect(await at.tail(10)).toBe("four\n");
  });

  test("reads only the end of a long log", async () => {
    const at = await setUp();
    await at.write(...Array.from({ length: 300 }, (_, index) => line(index)));
    const tail = await at.tail(2000);
    expect(tail.endsWith("line 298\nline 299\n")).toBe(true);
    expect(tail.startsWith("line ")).toBe(true);
    expect(tail.length).toBeGreaterThan(1980);
  });

  test("of chunks of very different sizes is complete", async () => {
    const at = await setUp();
    await at.write("x".repeat(200_000), ...Array.from({ length: 100 }, (_, index) => line(index)));
    expect((await at.tail(500)).split("\n")).toHaveLength(63);
  });

  test("of a job without output is empty", async () => {
    const at = await setUp();
    expect(await at.tail(100)).toBe("");
  });
});
