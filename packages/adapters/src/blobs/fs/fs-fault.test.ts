import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { afterAll, describe, expect, test } from "vitest";
import { fsBlobStore } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-fault-"));
const file = join(folder, "a-file");
writeFileSync(file, "");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROOM = "so files and the output of jobs cannot be stored. Let this process write there, or name another folder.";

describe("the folder of a file store", () => {
  test("a folder that can be written or created has no fault, and checking does not create it", async () => {
    expect(await fsBlobStore(folder).fault?.()).toBeUndefined();
    expect(await fsBlobStore(join(folder, "a", "b")).fault?.()).toBeUndefined();
    expect(existsSync(join(folder, "a"))).toBe(false);
  });

  test("is named if a file is in its place", async () => {
    expect(await fsBlobStore(file).fault?.()).toBe(`The folder ${file} of the file store is no folder, ${ROOM}`);
  });

  test("a folder that cannot be created is named with the file in its way", async () => {
    const below = join(file, "blobs");
    expect(await fsBlobStore(below).fault?.()).toBe(
      `The folder ${below} of the file store cannot be made: ${file} is no folder, ${ROOM}`,
    );
  });

  test("is checked at the start of the engine", async () => {
    const engine = createSignalbox({
      storage: memoryStorage(),
      secretKey: "a key of the tests",
      blobs: fsBlobStore(join(file, "blobs")),
    });
    const { warnings = [] } = await engine.start();
    await engine.stop();
    expect(warnings).toEqual([expect.stringContaining(`cannot be made: ${file} is no folder`)]);
  });
});
