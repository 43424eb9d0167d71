import { expect, test } from "vitest";
import { twoNodes } from "../../test/two-nodes.ts";

test("an internal job is listed with its progress on every node until it has ended", async () => {
  const { one, two, until } = await twoNodes();
  await until(async () => (await two.api.getMasters({})).rows.length).toBe(2);
  const { id } = await one.api.testInternalJob({ duration: 5 });
  const rows = async () => (await two.api.getInternalJobs()).rows;
  // The clock stands still, so that the job cannot end before the other node has heard of it.
  await expect
    .poll(async () => (await two.api.getMultiple({ lists: [], jobs: true }))["internalJobs"])
    .toEqual({
      [id]: expect.objectContaining({ title: "Test job that does nothing" }),
    });
  await until(async () => (await rows()).find((job) => job.id === id)?.progress).toBeGreaterThan(0);
  await until(rows).toEqual([]);
  expect(await one.api.getInternalJobs()).toMatchObject({ rows: [] });
});
