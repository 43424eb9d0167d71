import { expect, test } from "vitest";
import { MINUTE, type Setting, setUpDelivery } from "../../../test/desk/delivery-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const DAY = 86_400;

/** A firing whose notice is sent while the clock is a day ahead; the clock is set back some minutes later. */
async function setUp(setting: Setting, prepare: (at: Awaited<ReturnType<typeof setUpDelivery>>) => Promise<unknown>) {
  const at = await setUpDelivery(start, setting);
  await prepare(at);
  at.fleet.clock.step(DAY);
  await at.minute(60);
  await at.stay(2 * MINUTE);
  at.fleet.clock.step(-DAY);
  return { ...at, before: at.requests.length };
}

test("a notice that failed is retried soon after", async () => {
  const at = await setUp({ status: 503 }, async () => undefined);
  expect(at.before).toBeGreaterThan(0);
  at.answer.status = 200;
  await at.fleet.clock.advance(2 * MINUTE);
  expect(at.requests.length).toBe(at.before + 1);
  const { rows } = await at.api.searchNotices({ query: "receiver:room", limit: 10 });
  expect(rows).toMatchObject([{ kind: "firing", outcome: "sent" }]);
});

test("the hourly limit of a receiver has room again", async () => {
  const at = await setUp({ status: 200 }, async ({ api }) => {
    await api.updateReceiver({ id: "room", max_per_hour: 1 });
    await api.updateRoute({ id: "all", repeat_interval: 300, clear: "none" });
  });
  await at.fleet.clock.advance(7 * MINUTE);
  expect(at.requests.length).toBe(at.before + 1);
});

test("the second step of a route begins when no one acknowledges", async () => {
  const steps = [
    { after: 0, to: ["room"] },
    { after: 30, to: ["ops"] },
  ];
  const at = await setUp({ status: 200 }, ({ api }) => api.updateRoute({ id: "all", steps }));
  await at.fleet.clock.advance(35 * MINUTE);
  expect(at.sent.map(({ subject }) => subject)).toEqual(["[critical] Too hot on Web (host-s1)"]);
});

test("a dead receiver is tried again", async () => {
  const at = await setUpDelivery(start, { status: 404 });
  await at.api.updateRoute({ id: "all", clear: "none", repeat_interval: 300 });
  await at.minute(60);
  await at.stay(12 * MINUTE);
  expect(await at.health()).toMatchObject({ state: "dead" });
  at.fleet.clock.step(DAY);
  await at.stay(8 * MINUTE);
  at.fleet.clock.step(-DAY);
  const { length: before } = at.requests;
  at.answer.status = 200;
  await at.fleet.clock.advance(7 * MINUTE);
  expect(at.requests.length).toBeGreaterThan(before);
});
