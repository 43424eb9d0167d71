import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordingLogger } from "../../../../test/engine.ts";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { activeJobCollection, jobCollection, jobLogChunkCollection } from "../collection.ts";
import type { ActiveJob, FinalJob } from "../model.ts";
import { createJobLogs, gzip, logKey } from "./job-logs.ts";
import { chunksOf } from "./log-writers.ts";

const running = {
  ...{ id: "j1", launched: 1, details: { activity: [] } },
  job: { id: "j1", event: "e1", state: "active", started: 1 },
};
const LIMIT = 1_048_576;

async function setUp() {
  const clock = fakeClock();
  const storage = memoryStorage({ clock });
  const blobs = memoryBlobStore({ clock });
  await storage.open([activeJobCollection, jobCollection, jobLogChunkCollection]);
  await storage.write((tx) => tx.collection(activeJobCollection).insert(running as unknown as ActiveJob));
  const logs = createJobLogs({ storage, blobs, log: recordingLogger() });
  return {
    blobs,
    logs,
    storage,
    async write(...texts: string[]) {
      for (const text of texts) {
        logs.append("j1", text, 0);
        await logs.flush(["j1"]);
      }
    },
    /** The end of the job, as the engine does it. */
    async finish(): Promise<FinalJob> {
      const final = await storage.write(async (tx) => {
        const { text, sizeBytes } = await logs.conclude(tx, "j1", { limit: LIMIT, rest: "", isOwn: false });
        const output = text === undefined ? {} : { output: text };
        const job = { ...running.job, state: "complete", log_file_size: sizeBytes, ...output } as FinalJob;
        await tx.collection(jobCollection).insert(job);
        await tx.collection(activeJobCollection).delete("j1");
        return job;
      });
      logs.forget("j1");
      return final;
    },
    chunkCount: async () =>
      (await storage.read((tx) => tx.collection(jobLogChunkCollection).find(chunksOf("j1")))).total,
    record: () => storage.read((tx) => tx.collection(jobCollection).get("j1")),
    tail: async (bytes: number) => (await storage.read((tx) => logs.tail(tx, "j1", bytes))).text,
  };
}

const bytesOf = async (content: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(content));
const read = async (content: AsyncIterable<Uint8Array>): Promise<string> => (await bytesOf(content)).toString();
async function* nothing(): AsyncGenerator<Uint8Array> {}
const line = (count: number): string => `line ${count}\n`;

describe("the end of a job", () => {
  test("a small log goes into the record, and its chunks go", async () => {
    const at = await setUp();
    await at.write("one\n", "two\n");
    expect(await at.finish()).toMatchObject({ output: "one\ntwo\n", log_file_size: 8 });
    expect(await at.chunkCount()).toBe(0);
  });

  test("takes along what no write got to", async () => {
    const at = await setUp();
    await at.write("one\n");
    at.logs.append("j1", "two\n", 4);
    expect(await at.finish()).toMatchObject({ output: "one\ntwo\n", log_file_size: 8 });
    const { logs } = at;
    expect(logs.waiting()).toEqual([]);
  });

  test("exactly the limit is still small, one byte more is not", async () => {
    const [small, large] = [await setUp(), await setUp()];
    await small.write("x".repeat(LIMIT));
    await large.write("x".repeat(LIMIT));
    large.logs.append("j1", "y", LIMIT);
    expect((await small.finish())["output"]).toHaveLength(LIMIT);
    expect(await large.finish()).not.toHaveProperty("output");
    await large.logs.archive("j1");
    const stored = await large.logs.stored((await large.record()) as FinalJob);
    expect(stored?.compressed).toBe(true);
    expect(gunzipSync(await bytesOf(stored?.content ?? nothing())).at(-1)).toBe(0x79);
  });

  test("very many small pieces are left for queued work", async () => {
    const at = await setUp();
    const lines = Array.from({ length: 600 }, (_, index) => line(index));
    await at.write(...lines);
    const final = await at.finish();
    expect(final["output"]).toBe(lines.join(""));
    expect(await at.chunkCount()).toBe(600);
    await at.logs.archive("j1");
    expect([await at.chunkCount(), await at.blobs.head(logKey("j1"))]).toEqual([0, undefined]);
  });

  test("without output there is no log", async () => {
    const at = await setUp();
    expect(await at.logs.stored({ ...(await at.finish()), output: "" })).toBeUndefined();
  });
});

describe("a large log", () => {
  async function large() {
    const at = await setUp();
    const text = Array.from({ length: 200_000 }, (_, index) => line(index)).join("");
    await at.write(text.slice(0, 700_000), text.slice(700_000));
    return { at, text, final: await at.finish() };
  }

  test("is read from its chunks until it is in the blob store", async () => {
    const { at, text, final } = await large();
    const stored = await at.logs.stored(final);
    expect(stored?.compressed).toBe(false);
    expect(await read(stored?.content ?? nothing())).toBe(text);
  });

  test("moves into the blob store compressed, once", async () => {
    const { at, text } = await large();
    await at.logs.archive("j1");
    await at.logs.archive("j1");
    const final = await at.record();
    expect(final?.log_uploaded).toBe(true);
    expect(await at.chunkCount()).toBe(0);
    const blob = await at.blobs.get(logKey("j1"));
    expect(blob?.sizeBytes).toBeLessThan(text.length / 2);
    expect(gunzipSync(await bytesOf(blob?.content ?? nothing())).toString()).toBe(text);
  });

  test("that moves while it is read is read to its end", async () => {
    const { at, text, final } = await large();
    const stored = await at.logs.stored(final);
    let seen = "";
    for await (const piece of stored?.content ?? []) {
      if (seen === "") await at.logs.archive("j1");
      seen += Buffer.from(piece).toString();
    }
    expect(seen).toBe(text);
  });

  test("that moved before its reader came is whole", async () => {
    const { at, text, final } = await large();
    const stored = await at.logs.stored(final);
    await at.logs.archive("j1");
    expect(await read(stored?.content ?? nothing())).toBe(text);
  });

  test("whose blob vanished is no log", async () => {
    const { at } = await large();
    await at.logs.archive("j1");
    await at.blobs.delete(logKey("j1"));
    expect(await at.logs.stored((await at.record()) as FinalJob)).toBeUndefined();
  });

  test("of a job that is deleted while it moves leaves nothing behind", async () => {
    const { at } = await large();
    const { put } = at.blobs;
    at.blobs.put = async (key, content) => {
      const info = await put(key, content);
      await at.storage.write((tx) => tx.collection(jobCollection).delete("j1"));
      return info;
    };
    await at.logs.archive("j1");
    expect([await at.chunkCount(), await at.blobs.head(logKey("j1"))]).toEqual([0, undefined]);
  });

  test("is removed with its chunks and its blob", async () => {
    const { at } = await large();
    await at.blobs.put(logKey("j1"), nothing());
    await at.logs.remove("j1");
    expect([await at.chunkCount(), await at.blobs.head(logKey("j1"))]).toEqual([0, undefined]);
  });

  test("is compressed on its way and never held whole", async () => {
    let pulled = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        pulled += 1;
        yield randomBytes(64 * 1024);
      }
    }
    const zipped = gzip(endless());
    for await (const piece of zipped) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(pulled).toBeLessThan(40);
  });

  test("a source that fails fails for its reader", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("x");
      throw new Error("The disk is gone");
    }
    await expect(read(gzip(broken()))).rejects.toThrow("The disk is gone");
  });
});

describe("the log of a running job", () => {
  test("holds what is on disk and what waits", async () => {
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

  test("is whole when the job ends while it is read", async () => {
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

describe("the news", () => {
  test.each<[string, number, number, string | undefined]>([
    ["all", 0, 100, "one\ntwo\nthrée\nfour\n"],
    ["from the middle of a line", 6, 100, "o\nthrée\nfour\n"],
    ["on disk and in memory", 8, 100, "thrée\nfour\n"],
    ["in memory alone", 15, 100, "four\n"],
    ["the last lines of too much", 1, 11, "four\n"],
    ["just as much as there is room for", 8, 12, "thrée\nfour\n"],
    ["none", 20, 100, undefined],
    ["none for one who knows more", 30, 100, undefined],
  ])("%s", async (_what, after, most, text) => {
    const at = await setUp();
    await at.write("one\n", "two\n", "thrée\n");
    at.logs.append("j1", "four\n", 15);
    const news = await at.storage.read((tx) => at.logs.news(tx, "j1", { after, most }));
    expect(news).toEqual(text && { sizeBytes: 20, text });
  });
});

describe("the tail", () => {
  test("begins at a line and ends with what waits", async () => {
    const at = await setUp();
    await at.write("one\n", "two\n", "three\n");
    at.logs.append("j1", "four\n", 14);
    expect(await at.tail(100)).toBe("one\ntwo\nthree\nfour\n");
    expect(await at.tail(12)).toBe("three\nfour\n");
    expect(await at.tail(11)).toBe("three\nfour\n");
    expect(await at.tail(10)).toBe("four\n");
  });

  test("reads the end of a long log only", async () => {
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

test("nothing is lost or doubled, however output, writes, their failures and readers mix", async () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 }).map((value) => ({ kind: "append", value }) as const);
  const step = fc.oneof(
    text,
    fc.constantFrom({ kind: "flush" }, { kind: "fails" }, { kind: "unheard" }, { kind: "read" }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const at = await setUp();
      const { write } = at.storage;
      let expected = "";
      for (const each of steps) {
        if ("value" in each) {
          expected += each.value;
          at.logs.append("j1", each.value, 0);
        } else if (each.kind === "read") expect(await read(at.logs.partial("j1"))).toBe(expected);
        else {
          if (each.kind !== "flush")
            at.storage.write = async (work) => {
              if (each.kind === "unheard") await write(work);
              throw new Error("No answer");
            };
          await at.logs.flush(["j1"]);
          at.storage.write = write;
        }
        expect(await at.tail(1_000_000)).toBe(expected);
      }
      expect((await at.finish())["output"]).toBe(expected);
    }),
    { numRuns: 150 },
  );
});
