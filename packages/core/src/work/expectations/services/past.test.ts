import { expect, test } from "vitest";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { jobCollection } from "../../jobs/collection.ts";
import type { FinalJob } from "../../jobs/model.ts";
import { pastOf } from "./past.ts";

const END = 86_400;

/** Failures that are known after runs of an event, which ended at the given seconds. */
async function failuresAfter(ends: readonly number[]): Promise<unknown> {
  const storage = memoryStorage();
  await storage.open([jobCollection]);
  const jobs = ends.map((completed, at) => ({ id: `j${at}`, event: "e1", code: 1, started: 1000, completed }));
  await storage.write((tx) => tx.collection(jobCollection).insertMany(jobs as unknown as FinalJob[]));
  const event = { id: "e1", title: "E", category: "c", tags: [], triggers: [], expect: { failures_per: END } };
  const span = { from: END / 60 - 1, to: END / 60, read: storage.read, dueAfter: undefined };
  let failures: unknown;
  for await (const { context } of pastOf(event as never, span))
    failures = (context as { expect: { failures: number } }).expect.failures;
  return failures;
}

test.each<[string, readonly number[]]>([
  ["at the edge of a page", Array.from({ length: 510 }, (_, at) => 2000 + Math.abs(at - 10 - (at > 10 ? 4 : 0)))],
  ["in more than a page", Array.from({ length: 1300 }, () => 2000)],
  ["never", Array.from({ length: 1300 }, (_, at) => 2000 + at)],
])("no run is lost when runs end at the same time %s", async (_when, ends) => {
  expect(await failuresAfter(ends)).toBe(ends.length);
});
