import { expect, test } from "vitest";
import { hostHandle } from "./host-handle.ts";

const connection = { query: () => undefined };
const callable = (members: object): unknown => Object.assign(() => undefined, members);

test.each<[string, unknown]>([
  ["the handle itself", connection],
  ["a transaction of Drizzle", { dialect: {}, session: { client: connection } }],
  ["an entity manager of TypeORM", { queryRunner: { databaseConnection: connection } }],
  ["a query runner of TypeORM", { databaseConnection: connection }],
])("the connection of %s is used", (_name, value) => {
  expect(hostHandle(value)).toBe(connection);
});

test.each([undefined, null, "text", 5, {}, { session: { client: connection } }])("%j is used itself", (value) => {
  expect(hostHandle(value)).toBe(value);
});

const sql = callable({ unsafe: () => 1, savepoint: () => 1 });
test.each<[string, unknown, string]>([
  ["Knex", callable({ isTransaction: true, client: { acquireConnection: () => 1 } }), "acquireConnection()"],
  ["Prisma", { $queryRaw: () => 1, $executeRaw: () => 1 }, "hands out no connection"],
  ["postgres.js", sql, "cannot be shared"],
  ["Drizzle on postgres.js", { dialect: {}, session: { client: sql } }, "cannot be shared"],
])("a transaction of %s is refused with advice", (_name, value, way) => {
  expect(() => hostHandle(value)).toThrow(way);
});
