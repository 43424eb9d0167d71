import { storageConformance } from "@signalbox/core/testing";
import { beforeAll, describe, inject, test } from "vitest";
import { createTestDatabase, emptyTables } from "../test/test-database.ts";
import { pgStorage } from "./index.ts";

let connectionString = "";
beforeAll(async () => {
  connectionString = await createTestDatabase(inject("pgUrl"));
});

storageConformance(
  { describe, test },
  async () => {
    await emptyTables(connectionString);
    return pgStorage({ connectionString });
  },
  { reopen: async () => pgStorage({ connectionString }), beside: async () => pgStorage({ connectionString }) },
);
