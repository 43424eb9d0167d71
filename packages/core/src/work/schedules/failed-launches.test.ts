import { expect, test } from "vitest";
import { START } from "../../../test/engine.ts";
import { event, startScheduler } from "../../../test/work/scheduler-setup.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { DomainError } from "../../kernel/errors/errors.ts";

test("a refused launch is recorded in the activity and stops no other launch", async () => {
  await using at = await startScheduler();
  await at.api.createEvent(
    event({ type: "schedule", minutes: [1], params: { a: 1 } }, { type: "schedule", minutes: [1] }),
  );
  at.failures.push(
    new DomainError("job", "conflict", "Maximum daily 'start' count of 1 has been reached for event: e"),
  );
  await at.clock.advance(60);
  expect(at.launched.map(({ uniqueKey }) => uniqueKey)).toEqual([`e:1:${START + 60}`]);
  const rows = await at.storage.read((tx) => tx.collection(activityCollection).list());
  expect(rows.filter(({ action }) => action === "warning")).toMatchObject([
    { description: expect.stringContaining("Maximum daily"), keywords: ["e", "system"] },
  ]);
});

test("a failure of the storage is retried in the next minute", async () => {
  await using at = await startScheduler();
  await at.api.createEvent(event({ type: "schedule", minutes: [1] }));
  at.failures.push(new Error("disk full"));
  await at.clock.advance(60);
  expect(at.launched).toEqual([]);
  await at.clock.advance(60);
  expect(at.minutes()).toEqual([1]);
  expect(at.log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
});
