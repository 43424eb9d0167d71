import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CODE } from "./program.ts";

const run = promisify(execFile);
const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

/** Snippets of the guides that check themselves: they play in a test box. */
const PAGES = ["workflows", "testing"];
const isWhole = (code: string): boolean => /createTestSignalbox\(/.test(code) && /\bassert\b/.test(code);

/** Snippets that speak to the host's own engine get one, with a server and a store of its own. */
const BESIDE = ["workflows", "files", "backup"];
const speaks = (code: string): boolean => /\bsignalbox\.api\./.test(code) && !/\bcreate(Test)?Signalbox\(/.test(code);
const before = (directory: string): string => `
import { fsBlobStore as _blobs } from "@signalbox/adapters/blobs";
import { localAgent as _agent, nodeProcesses as _processes } from "@signalbox/adapters/local-agent";
import { createSignalbox as _create, defineEvent } from "@signalbox/core";
import { sqliteStorage as _storage } from "@signalbox/storage-sqlite";
process.chdir(${JSON.stringify(directory)});
const _files = _blobs("files");
const signalbox = _create({
  ...{ secretKey: "a secret key for guides", blobs: _files, log: false },
  ...{ agents: _agent({ processes: _processes(), blobs: _files }), storage: _storage({ filename: "guide.sqlite" }) },
});
await signalbox.start();
`;

let folder: string;
beforeAll(async () => {
  await mkdir(join(docs, ".cache"), { recursive: true });
  folder = await mkdtemp(join(docs, ".cache", "guide-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(PAGES)("the snippets of the guide %s do what they say", { timeout: 120_000 }, async (page) => {
  const text = await readFile(join(docs, "guide", `${page}.md`), "utf8");
  const found = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code).filter(isWhole);
  expect(found.length).toBeGreaterThan(1);
  for (const [index, code] of found.entries()) {
    const file = join(folder, `${page}-${index}.ts`);
    await writeFile(file, code);
    const { stderr } = await run(process.execPath, [...CODE, file]);
    expect(stderr).toBe("");
  }
});

test.each(BESIDE)(
  "the snippets of the guide %s that speak to an engine are answered",
  { timeout: 120_000 },
  async (page) => {
    const text = await readFile(join(docs, "guide", `${page}.md`), "utf8");
    const found = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code).filter(speaks);
    expect(found.length).toBeGreaterThan(0);
    for (const [index, code] of found.entries()) {
      const own = await mkdtemp(join(folder, "host-"));
      const file = join(folder, `${page}-host-${index}.ts`);
      await writeFile(file, `${before(own)}\n${code}\nawait signalbox.stop();\n`);
      const { stderr } = await run(process.execPath, [...CODE, file]);
      expect(stderr).toBe("");
    }
  },
);

test("the kit of the page about storages runs as it is printed", { timeout: 120_000 }, async () => {
  const text = await readFile(join(docs, "guide", "writing-a-storage.md"), "utf8");
  const [, code = ""] = /^```ts\n(.*?)^```/ms.exec(text) ?? [];
  const file = join(folder, "storage-kit.ts");
  await writeFile(file, code);
  const { stdout } = await run(process.execPath, [...CODE, "--test-reporter=tap", file]);
  expect(Number(/^# pass (\d+)/m.exec(stdout)?.[1])).toBeGreaterThan(50);
  expect(stdout).toMatch(/^# fail 0$/m);
});
