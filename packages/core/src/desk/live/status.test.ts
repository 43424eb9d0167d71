import { expect, test } from "vitest";
import { lastOf, type Members, setUp } from "../../../test/desk/live-setup.ts";
import { keyWith } from "../../../test/engine.ts";

test("the status names only tickets and jobs within reach", async () => {
  const at = await setUp();
  const all = await at.listen();
  const rail = await at.listen({}, keyWith([], { categories: ["rail"] }));
  await at.jobs.final("jtheirs", { category: "ops" });
  const jobs = [{ id: "jtheirs", reason: "action" }];
  await at.jobs.active("j1", { category: "rail", tickets: ["tforeign"], jobs });
  await at.clock.advance(1.2);
  const lastOfAll = (statuses: typeof all.statuses) => lastOf(statuses, "status")?.["activeJobs"];
  expect(lastOfAll(rail.statuses)).toMatchObject({ j1: { tickets: [], jobs: [] } });
  expect(lastOfAll(all.statuses)).toMatchObject({ j1: { tickets: ["tforeign"], jobs } });
});

test("the status names no jobs that wait in a line, and counts them except for quiet ones", async () => {
  const at = await setUp();
  const all = await at.listen();
  const rail = await at.listen({}, keyWith([], { categories: ["rail"] }));
  await at.jobs.active("runs", { category: "rail" });
  await at.jobs.active("waits", { category: "rail", state: "start_delay" });
  await at.jobs.active("stands", { category: "rail", state: "queued" });
  await at.jobs.active("quiet", { category: "rail", state: "queued", invisible: true });
  await at.jobs.active("theirs", { category: "ops", state: "queued" });
  await at.clock.advance(1.2);
  for (const [{ statuses }, numQueuedJobs] of [
    [all, 2],
    [rail, 1],
  ] as const) {
    const { activeJobs, ...status } = lastOf(statuses, "status") ?? {};
    expect([Object.keys(activeJobs as Members).sort(), status]).toMatchObject([["runs", "waits"], { numQueuedJobs }]);
  }
});

test("a long line hides no running job from the status, and is counted completely", async () => {
  const at = await setUp();
  const { statuses } = await at.listen();
  await at.jobs.active("runs", { started: 1 });
  for (let count = 0; count < 1100; count++) await at.jobs.active(`q${count}`, { state: "queued", started: 2 });
  await at.clock.advance(1.2);
  expect(lastOf(statuses, "status")).toMatchObject({ activeJobs: { runs: { id: "runs" } }, numQueuedJobs: 1100 });
});

test("the status tells administrators that internal jobs came or went", async () => {
  const at = await setUp();
  const [admin, other] = [await at.listen(), await at.listen({}, keyWith([]))];
  const ended = Promise.withResolvers<void>();
  const spec = { title: "Slow", type: "db", username: "ann", params: {} } as const;
  at.cradle().internalJobs.start(spec, () => ended.promise);
  await at.clock.advance(2.2);
  ended.resolve();
  await at.clock.advance(2.2);
  const told = ({ statuses }: typeof admin) =>
    statuses.filter(({ data }) => data["internalJobsChanged"] === true).map(({ data }) => data["internalJobs"]);
  expect(told(admin)).toEqual([expect.toSatisfy((jobs: object) => Object.keys(jobs).length === 1), {}]);
  expect(told(other)).toEqual([]);
});
