import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storageConformance } from "@signalbox/core/testing";
import { afterAll, describe, test } from "vitest";
import { sqliteStorage } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

describe("a file", () => {
  let filename = "";
  storageConformance(
    { describe, test },
    async () => {
      filename = join(folder, `${++files}.db`);
      return sqliteStorage({ filename });
    },
    { reopen: async () => sqliteStorage({ filename }) },
  );
});

describe("memory", () => {
  storageConformance({ describe, test }, async () => sqliteStorage({ filename: ":memory:" }), {
    skip: [{ test: "reopen", reason: "a database in memory ends with its connection" }],
  });
});
