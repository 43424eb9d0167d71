import { storageModelConformance } from "@signalbox/core/testing";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, inject, test } from "vitest";
import { createTestDatabase } from "../test/test-database.ts";
import { pgStorage } from "./index.ts";

const tables = ["conformance_probes", "counters", "work", "history_journal", "history_chunks", "history_series"];
/** Random histories; `npm run soak` takes 500. */
const runs = Number(process.env["SIGNALBOX_HISTORIES"] ?? 40);
let connectionString = "";
let beside: pg.Client;
beforeAll(async () => {
  connectionString = await createTestDatabase(inject("pgUrl"));
  beside = new pg.Client({ connectionString });
  await beside.connect();
});
afterAll(() => beside.end());

storageModelConformance(
  { describe, test: (name, body) => test(name, body, 120_000) },
  {
    ...{ fc, runs },
    open: async () => pgStorage({ connectionString }),
    empty: async () => {
      await beside.query(tables.map((name) => `delete from signalbox.sb_${name}`).join("; "));
    },
  },
);
