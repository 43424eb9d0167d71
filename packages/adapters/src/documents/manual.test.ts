import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { manual } from "./manual.ts";

test("our own pages are found without a setting", async () => {
  const pages = manual();
  const names = await pages.list();
  expect(names).toContain("guide/secrets");
  expect(names).toContain("contract/administration");
  expect(await pages.read("guide/secrets")).toMatch(/^# Secrets\n/);
});

test("a host may have pages of its own, also in folders", async () => {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-docs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "ops"));
  await writeFile(join(folder, "ops", "on-call.md"), "# On call\n");
  await writeFile(join(folder, "notes.txt"), "no page");
  const pages = manual({ folder });
  expect(await pages.list()).toEqual(["ops/on-call"]);
  expect(await pages.read("ops/on-call")).toBe("# On call\n");
  expect(await pages.read("notes")).toBeUndefined();
});

test("a missing folder contains no pages", async () => {
  expect(await manual({ folder: "/nowhere/at/all" }).list()).toEqual([]);
});
