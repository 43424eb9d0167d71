import { memoryBlobStore } from "@signalbox/core";
import type { FunctionFiles } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { expect, test } from "vitest";
import { start } from "../../../test/agents/function-agent.ts";

test("a function reads and stores files of its job", async () => {
  const blobs = memoryBlobStore({ clock: fakeClock() });
  const piece = Buffer.from("hello");
  await blobs.put(
    "files/x/in.txt",
    (async function* () {
      yield piece;
    })(),
  );
  await blobs.put(
    "logs/other.txt",
    (async function* () {
      yield piece;
    })(),
  );
  const seen: unknown[] = [];
  const { launch, finished } = await start(
    {
      e1: async ({ files }) => {
        seen.push(files.input);
        await files.write("../März 1.txt", files.read("in.txt"));
        await files.write("log.txt", files.read("log.txt")).catch((error) => seen.push(error.message));
        await files.write("..", "x").catch((error) => seen.push(error.message));
        await Array.fromAsync(files.read("none.txt")).catch((error) => seen.push(error.message));
      },
    },
    { blobs },
  );
  const files = [
    { filename: "in.txt", path: "files/x/in.txt?token=t", size: 5 },
    { filename: "log.txt", path: "logs/other.txt", size: 5 },
  ];
  launch({}, { details: { input: { files } } });
  expect(await finished()).toMatchObject({
    code: 0,
    // The name that the function gave, so that the next job finds the file under it.
    files: [
      {
        filename: ".._März 1.txt",
        path: expect.stringMatching(/\/\.\._M_rz_1\.txt$/),
        size: 5,
        job: "j1",
        server: "s1",
      },
    ],
  });
  expect(seen).toEqual([
    [
      { filename: "in.txt", sizeBytes: 5 },
      { filename: "log.txt", sizeBytes: 5 },
    ],
    "Input file not found: log.txt",
    "Malformed name of a file: ..",
    "Input file not found: none.txt",
  ]);
});

test("a function that fails keeps the files that it stored, and stores no more when it is over", async () => {
  const blobs = memoryBlobStore({ clock: fakeClock() });
  let keep: FunctionFiles | undefined;
  const { launch, finished } = await start(
    {
      e1: async ({ files }) => {
        keep = files;
        await files.write("a.txt", "a");
        throw new Error("Half way");
      },
    },
    { blobs },
  );
  launch();
  expect(await finished()).toMatchObject({ description: "Half way", files: [{ filename: "a.txt" }] });
  await expect(keep?.write("b.txt", "b")).rejects.toThrow("The job is over");
  expect(await blobs.list("files/", { limit: 10 })).toHaveLength(1);
});
