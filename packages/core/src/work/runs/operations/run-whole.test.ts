import { expect, test } from "vitest";
import { setUp } from "../../../../test/work/run-setup.ts";

const EMPTY = {
  ...{ tags: null, fields: null, limits: null, actions: null, notes: null, icon: null, expression: null },
  ...{ silence_alerts: null, expect: null, overlap: "all", test: null, priority: null },
};

test.each([
  ["as members", (event: object) => event],
  ["as JSON text", (event: object) => ({ json: JSON.stringify(event) })],
])("a record with null members runs when it is posted whole, %s", async (_how, posted) => {
  const at = await setUp();
  const id = await at.event();
  const { event } = await at.api.updateEvent({ id, ...EMPTY } as never);
  expect(event).toMatchObject({ tags: null, actions: [] });
  const { job } = await at.run(posted({ ...event, ...EMPTY }) as never);
  expect(job).toMatchObject({ event: id, tags: [], actions: [], limits: [], params: event.params });
});
