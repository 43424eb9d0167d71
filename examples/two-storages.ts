/** One program on two databases: only the import and the call that creates the storage differ. */
import { randomBytes } from "node:crypto";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { playScenario } from "./lib/scenario.ts";

console.log(await playScenario(sqliteStorage({ filename: ":memory:" })));

const connectionString = process.env["SIGNALBOX_TEST_PG"];
if (connectionString) {
  const schema = `example_${randomBytes(4).toString("hex")}`;
  console.log(await playScenario(pgStorage({ connectionString, schema })));
} else console.log("pg: set SIGNALBOX_TEST_PG=postgres://… to see the same on PostgreSQL");
