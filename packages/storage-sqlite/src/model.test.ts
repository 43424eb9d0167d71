import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { storageModelConformance } from "@signalbox/core/testing";
import fc from "fast-check";
import { afterAll, describe, test } from "vitest";
import { sqliteStorage } from "./index.ts";

const tables = ["conformance_probes", "counters", "work", "history_journal", "history_chunks", "history_series"];
const emptyAll = (database: DatabaseSync): void => {
  database.exec(`begin immediate; ${tables.map((name) => `delete from sb_${name}`).join("; ")}; commit`);
};

/** Random histories; `npm run soak` takes 500. */
const runs = Number(process.env["SIGNALBOX_HISTORIES"] ?? 40);
const folder = mkdtempSync(join(tmpdir(), "signalbox-model-"));
const filename = join(folder, "model.db");
const beside = new DatabaseSync(filename);
const memory = new DatabaseSync(":memory:");
afterAll(() => {
  beside.close();
  memory.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a file", () => {
  storageModelConformance(
    { describe, test: (name, body) => test(name, body, 120_000) },
    { fc, runs, open: async () => sqliteStorage({ filename }), empty: async () => emptyAll(beside) },
  );
});

describe("memory", () => {
  storageModelConformance(
    { describe, test: (name, body) => test(name, body, 120_000) },
    { fc, runs, open: async () => sqliteStorage({ database: memory }), empty: async () => emptyAll(memory) },
  );
});
