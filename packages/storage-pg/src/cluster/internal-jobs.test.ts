import { expect, test } from "vitest";
import { twoNodes } from "../../test/two-nodes.ts";

test("an internal job is listed with its progress on every node until it has ended", async () => {
  const { one, two, until } = await twoNodes();
  const { id } = await one.api.testInternalJob({ duration: 5 });
  const rows = async () => (await two.api.getInternalJobs()).rows;
  await until(async () => (await two.api.getMultiple({ lists: [], jobs: true }))["internalJobs"]).toEqual({
    [id]: expect.objectContaining({ title: "Test job that does nothing" }),
  });
  await until(async () => (await rows()).find((job) => job.id === id)?.progress).toBeGreaterThan(0);
  await until(rows).toEqual([]);
  expect(await one.api.getInternalJobs()).toMatchObject({ rows: [] });
});
