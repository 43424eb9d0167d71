import { expect, test } from "vitest";
import { setUpDelivery } from "../../../test/desk/delivery-setup.ts";
import { cradleProbe } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { IMPORT_TITLE } from "../transfer/model.ts";

const start = useFleets();

test("no one is notified while data are imported, because a firing may come before its problem", async () => {
  const probe = cradleProbe();
  const at = await setUpDelivery((options) => start({ ...options, plugins: [probe.plugin as never] }), { status: 200 });
  await at.api.updateRoute({ id: "all", steps: [{ after: 0, to: ["ops"] }] });
  const { promise, resolve } = Promise.withResolvers<void>();
  probe.cradle().internalJobs.start({ title: IMPORT_TITLE, type: "maint", username: "admin" }, () => promise);
  const told = async () => (await at.api.searchNotices({ query: "receiver:ops", limit: 1 })).list.length;
  await at.minute(60);
  const during = await told();
  // Before anything can fail: a stop waits for the import.
  resolve();
  await at.fleet.clock.advance(5);
  expect([during, await told()]).toEqual([0, 1]);
});
