import { expect, test } from "vitest";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { createTidying } from "./tidying.ts";

const DAY = 86_400;
const content = async function* () {
  yield Buffer.from("x");
};

async function setUp({ isShared = true } = {}) {
  const clock = fakeClock(1_800_000_000);
  const blobs = memoryBlobStore({ clock });
  const put = (key: string) => blobs.put(key, content());
  const tidied: number[] = [];
  const store = { ...blobs, tidy: async (before: number) => void tidied.push(before) };
  const tidy = createTidying({ blobs: store, isShared });
  const run = (signal = new AbortController().signal) => tidy(clock.now(), signal);
  const left = () => blobs.list("", { limit: 2000 });
  return { clock, left, put, run, tidied };
}

test("yesterday's temporary files are deleted, today's and stored files stay", async () => {
  const { clock, left, put, run } = await setUp();
  for (const key of ["tmp/a/0-x", "files/ann/x.txt", "tmpx/a"]) await put(key);
  await clock.advance(DAY);
  await put("tmp/b/0-x");
  await run();
  expect(await left()).toEqual(["files/ann/x.txt", "tmp/a/0-x", "tmp/b/0-x", "tmpx/a"]);
  await clock.advance(1);
  await run();
  expect(await left()).toEqual(["files/ann/x.txt", "tmp/b/0-x", "tmpx/a"]);
});

test("a turn checks a thousand files, and the store deletes its own remains", async () => {
  const { clock, left, put, run, tidied } = await setUp();
  for (let index = 0; index < 1050; index++) await put(`tmp/${String(index).padStart(5, "0")}/x`);
  await clock.advance(DAY + 1);
  await run();
  expect(await left()).toHaveLength(50);
  await run();
  expect(await left()).toEqual([]);
  expect(tidied).toEqual([clock.now() - DAY, clock.now() - DAY]);
});

test("a stop ends the turn before the next file", async () => {
  const { clock, left, put, run, tidied } = await setUp();
  await put("tmp/a/x");
  await clock.advance(DAY + 1);
  await run(AbortSignal.abort());
  expect(await left()).toEqual(["tmp/a/x"]);
  expect(tidied).toEqual([]);
});

test("a start deletes all remains of an earlier process, if no other process can be running", async () => {
  const { clock, left, put, run, tidied } = await setUp({ isShared: false });
  for (let index = 0; index < 1050; index++) await put(`tmp/${String(index).padStart(5, "0")}/x`);
  await put("files/ann/x.txt");
  await clock.advance(1);
  await put("tmp/of/this-process");
  await run();
  expect(await left()).toEqual(["files/ann/x.txt", "tmp/of/this-process"]);
  expect(tidied).toEqual([clock.now()]);
  await clock.advance(3600);
  await run();
  expect(await left()).toEqual(["files/ann/x.txt", "tmp/of/this-process"]);
});
