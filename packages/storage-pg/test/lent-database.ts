import { inject, onTestFinished } from "vitest";
import { createTestDatabase, emptyTables } from "./test-database.ts";

/**
 * Empty databases of finished tests, for reuse: creating one with all tables of an engine takes four times as long as emptying
 * it.
 */
const free: string[] = [];

/** The URL of a database without records for the running test; it may have tables from an earlier test. */
export async function lendDatabase(): Promise<string> {
  const url = free.pop() ?? (await createTestDatabase(inject("pgUrl")));
  onTestFinished(async ({ task }) => {
    // Open transactions of a failed test may still lock its tables.
    if (task.result?.state === "fail") return;
    await emptyTables(url);
    free.push(url);
  });
  return url;
}
