import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { VERSION } from "./version.ts";

test("the version is the version of the package", async () => {
  const text = await readFile(new URL("../../../package.json", import.meta.url), "utf8");
  expect(VERSION).toBe((JSON.parse(text) as { version: string }).version);
});
