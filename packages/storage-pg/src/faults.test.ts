import { expect, test } from "vitest";
import { pgFaultOf } from "./faults.ts";

const withCode = (code: string): Error => Object.assign(new Error("x"), { code });

test.each([
  [withCode("53100"), "full"],
  [withCode("25006"), "read-only"],
  [withCode("57P01"), "gone"],
  [withCode("53300"), "gone"],
  [withCode("08006"), "gone"],
  [withCode("58030"), "gone"],
  [withCode("XX001"), "damaged"],
  [withCode("42P01"), "damaged"],
  [withCode("55P03"), "locked"],
  [withCode("ECONNREFUSED"), "gone"],
  [withCode("ECONNRESET"), "gone"],
  [withCode("EMFILE"), "gone"],
  [new Error("Connection terminated unexpectedly"), "gone"],
  [new Error("timeout exceeded when trying to connect"), "gone"],
  [new Error("Client has encountered a connection error and is not queryable"), "gone"],
  [withCode("23505"), undefined],
  [withCode("42601"), undefined],
  [withCode("ERR_ASSERTION"), undefined],
  [new Error("something else"), undefined],
  ["Connection terminated", undefined],
])("%o is a fault of the database: %s", (error, fault) => {
  expect(pgFaultOf(error)).toBe(fault);
});
