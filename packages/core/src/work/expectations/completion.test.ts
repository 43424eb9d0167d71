import { expect, onTestFinished, test } from "vitest";
import { createTestSignalbox } from "../../testing/index.ts";

/** A box whose jobs end as the test says. */
async function setUp(members: object) {
  const answer = { code: 0 };
  const box = await createTestSignalbox({ local: { onJob: () => ({ code: answer.code }) } });
  onTestFinished(() => box.stop());
  await box.api.createEvent({
    ...{ id: "nightly", title: "Nightly", enabled: true, category: "general", plugin: "shellplug", targets: ["local"] },
    ...{ algo: "random", params: { script: "true" }, triggers: [{ type: "manual", enabled: true }] },
    ...members,
  } as never);
  const live = async () =>
    (await box.api.searchAlerts({ query: "active:true", limit: 10 })).rows.map(({ alert }) => alert);
  return { box, answer, live };
}

test("a failure is evaluated when it happens, not at the next minute", async () => {
  const { box, answer, live } = await setUp({ expect: { max_failures: 0 } });
  await box.advanceTo("00:01:05");
  answer.code = 1;
  await box.run("nightly");
  await expect.poll(live).toEqual(["event_failing"]);
});

test("a success ends an overdue alert at once", async () => {
  const { box, live } = await setUp({ expect: { success_every: 60, grace: 0 } });
  await box.advanceTo("00:03:05");
  expect(await live()).toEqual(["event_overdue"]);
  await box.run("nightly");
  await expect.poll(live).toEqual([]);
});

test("the success of a test run ends no alert", async () => {
  const { box, live } = await setUp({ expect: { success_every: 600, grace: 0 } });
  await box.advanceTo("00:12:05");
  await box.run("nightly", { test: true });
  await box.advanceTo("00:15:05");
  expect(await live()).toEqual(["event_overdue"]);
});

test("an event without expectations is not evaluated", async () => {
  const { box, answer, live } = await setUp({});
  answer.code = 1;
  await box.run("nightly");
  await box.advanceTo("00:02:05");
  expect(await live()).toEqual([]);
});
