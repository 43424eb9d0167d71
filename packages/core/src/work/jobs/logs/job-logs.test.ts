import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, LIMIT, line, nothing, read, setUp } from "../../../../test/work/log-setup.ts";
import { jobCollection } from "../collection.ts";
import type { FinalJob } from "../model.ts";
import { gzip, logKey } from "./job-logs.ts";

describe("the log at the end of a job", () => {
  test("goes into the record if it is small, and its chunks are deleted", async () => {
    const at = await setUp();
    await at.write("one\n", "two\n");
    expect(await at.finish()).toMatchObject({ output: "one\ntwo\n", log_file_size: 8 });
    expect(await at.chunkCount()).toBe(0);
  });

  test("includes output that was not written yet", async () => {
    const at = await setUp();
    await at.write("one\n");
    at.logs.append("j1", "two\n", 4);
    expect(await at.finish()).toMatchObject({ output: "one\ntwo\n", log_file_size: 8 });
    const { logs } = at;
    expect(logs.waiting()).toEqual([]);
  });

  test("is small at exactly the limit, and large with one byte more", async () => {
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

  test("of very many small pieces is left for queued work", async () => {
    const at = await setUp();
    const lines = Array.from({ length: 600 }, (_, index) => line(index));
    await at.write(...lines);
    const final = await at.finish();
    expect(final["output"]).toBe(lines.join(""));
    expect(await at.chunkCount()).toBe(600);
    await at.logs.archive("j1");
    expect([await at.chunkCount(), await at.blobs.head(logKey("j1"))]).toEqual([0, undefined]);
  });

  test("is absent without output", async () => {
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

  test("is read to its end when it moves meanwhile", async () => {
    const { at, text, final } = await large();
    const stored = await at.logs.stored(final);
    let seen = "";
    for await (const piece of stored?.content ?? []) {
      if (seen === "") await at.logs.archive("j1");
      seen += Buffer.from(piece).toString();
    }
    expect(seen).toBe(text);
  });

  test("is complete when it moved before its reader came", async () => {
    const { at, text, final } = await large();
    const stored = await at.logs.stored(final);
    await at.logs.archive("j1");
    expect(await read(stored?.content ?? nothing())).toBe(text);
  });

  test("a log whose blob is missing counts as no log", async () => {
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

  test("is compressed on its way and never held in memory as a whole", async () => {
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

  test("a source that fails, fails for its reader", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("x");
      throw new Error("The disk is gone");
    }
    await expect(read(gzip(broken()))).rejects.toThrow("The disk is gone");
  });
});

test("loses or doubles nothing, however output, writes, their failures and readers mix", async () => {
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
