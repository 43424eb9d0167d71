import { InputError } from "@signalbox/core/plugin";
import { fakeClock } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import type { BodySource } from "../src/body/body.ts";
import { createBodyPool } from "../src/body/body-pool.ts";
import { readBody } from "../src/body/read-body.ts";
import { createSpareBuffer } from "../src/body/spare-buffer.ts";
import type { Admission } from "../src/input/admission.ts";

const MB = 1_000_000;
const MAX_BYTES = 16 * MB;

/** A body in chunks, without a declared length; with `ends: false` it waits for more. */
function source(chunks: readonly Uint8Array[], { ends = true } = {}): BodySource {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (ends) controller.close();
    },
  });
  const arrival = {
    received: () => 0,
    isWaitingForUs: () => false,
    end: () => undefined,
    async *follow(from: ReadableStream<Uint8Array>) {
      for await (const chunk of from) yield chunk;
    },
  };
  const told = { headers: new Headers(), declared: undefined, counted: false, isRead: false };
  return { ...told, stream: () => stream, arrival, text: async () => "" } as unknown as BodySource;
}

/** Admits a sender once the received part of the body contains the key. */
function admission(): Admission & { readonly asked: object[] } {
  const asked: object[] = [];
  let isAdmitted = false;
  return {
    asked,
    get isAdmitted() {
      return isAdmitted;
    },
    actorFor: () => undefined,
    async ask(members) {
      asked.push(members);
      isAdmitted = members["api_key"] === "known";
      return isAdmitted;
    },
    refusal: () => new InputError("Nobody"),
  };
}

function setUp() {
  const clock = fakeClock();
  const pool = createBodyPool(clock, { short: 100 * MB, long: 1000 * MB });
  const buffers = createSpareBuffer();
  const judge = admission();
  const read = (from: BodySource) =>
    readBody(from, { maxBytes: MAX_BYTES, pool, buffers, openAdmission: async () => judge });
  return { judge, read };
}

const cut = (text: string, length: number): Uint8Array[] => {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );
};

describe("a body without a declared length", () => {
  test.each([1000, 65_535, 65_536, 65_537, 200_000])(
    "is read in chunks of %d bytes, and parsed once",
    async (length) => {
      const { judge, read } = setUp();
      const text = JSON.stringify({ api_key: "known", notes: "x".repeat(300_000) });
      expect(String((await read(source(cut(text, length)))).body)).toBe(text);
      expect(judge.asked).toEqual([{ api_key: "known" }]);
    },
  );

  test("is read up to 64 KB for an unknown caller", async () => {
    const { judge, read } = setUp();
    const short = JSON.stringify({ notes: "x".repeat(65_000) });
    expect(String((await read(source(cut(short, 1000)))).body)).toBe(short);
    expect(judge.asked).toEqual([]);
    await expect(read(source(cut(JSON.stringify({ notes: "x".repeat(65_600) }), 1000)))).rejects.toThrow("Nobody");
  });

  test("reserves memory for a long one only when it is long", async () => {
    const clock = fakeClock();
    const pool = createBodyPool(clock, { short: MB, long: 2 * MAX_BYTES });
    const read = (from: BodySource) =>
      readBody(from, {
        ...{ maxBytes: MAX_BYTES, pool, buffers: createSpareBuffer() },
        openAdmission: async () => admission(),
      });
    const short = JSON.stringify({ notes: "short" });
    const { release } = await read(source([Buffer.from(short)]));
    expect(release).toBeUndefined();
    const long = JSON.stringify({ api_key: "known", notes: "x".repeat(300_000) });
    expect((await read(source(cut(long, 65_536)))).release).toBeDefined();
    expect(String((await read(source([Buffer.from(short)]))).body)).toBe(short);
  });

  test("contains nothing of a longer one that used the same memory before", async () => {
    const { read } = setUp();
    for (const length of [900_000, 300_000, 500_000]) {
      const text = JSON.stringify({ api_key: "known", notes: "ü".repeat(length) });
      expect(String((await read(source(cut(text, 65_536)))).body)).toBe(text);
    }
  });

  test("from an unknown caller uses no memory for the length allowed to administrators", async () => {
    const { read } = setUp();
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 20; count++) void read(source([Buffer.from("{")], { ends: false }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 0.2 * MB);
  });
});
