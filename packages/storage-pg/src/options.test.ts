import { expect, test } from "vitest";
import { type PgStorageOptions, pgStorage } from "./index.ts";

const connectionString = "postgres://127.0.0.1/nowhere";

test.each<[unknown, string]>([
  [undefined, "pgStorage: the options must be an object"],
  [{}, "pgStorage: give either `connectionString` or `pool`"],
  [{ connectionString: undefined }, "pgStorage: connectionString is undefined"],
  [{ connectionString: "" }, "pgStorage: connectionString must be a text that is not empty"],
  [{ connectionString, directConnectionString: undefined }, "pgStorage: directConnectionString is undefined"],
  [{ connectionString, schema: undefined }, "pgStorage: schema is undefined"],
  [
    { connectionString, shema: "ops" },
    'pgStorage: there is no option "shema"; it takes connectionString, pool, schema',
  ],
  ...["connectionString", "directConnectionString"].map((name): [unknown, string] => [
    { connectionString, [name]: "postgres://ops:hidden/word@127.0.0.1/ops" },
    "pgStorage: the address of the database cannot be read. In a password, signs like / # ? stand as %2F %23 %3F",
  ]),
])("pgStorage refuses %o", (options, complaint) => {
  expect(() => pgStorage(options as PgStorageOptions)).toThrow(complaint);
});
