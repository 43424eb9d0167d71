import { expect, test } from "vitest";
import { MINUTE, setUpDelivery } from "../../../test/desk/delivery-setup.ts";
import { invocations } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();

/** A room that the route "all" has notified of a firing, and another route to that room which does not match the firing yet. */
async function setUp() {
  const at = await setUpDelivery(start, { status: 200 });
  for (const { id } of (await at.api.getRoutes({})).rows)
    if (id !== "all") await at.api.updateRoute({ id, enabled: false });
  const other = { id: "other", title: "Other", repeat_interval: 0, steps: [{ after: 0, to: ["room"] }] };
  await at.api.createRoute({ ...other, match: { severities: ["info"] } });
  await at.minute(60);
  expect(at.requests).toHaveLength(1);
  const kinds = async () =>
    (await at.api.searchNotices({ limit: 20, query: "receiver:room" })).rows.map(({ kind }) => kind).toReversed();
  return { ...at, kinds };
}
type At = Awaited<ReturnType<typeof setUp>>;

const open = ({ api }: At) => api.updateRoute({ id: "other", match: {} });

test.each<[string, (at: At) => Promise<unknown>]>([
  [
    "another route is placed before it",
    (at) => at.api.multiUpdateRoute({ items: [{ id: "other", sort_order: -9 }] }).then(() => open(at)),
  ],
  ["its route is deleted", (at) => open(at).then(() => at.api.deleteRoute({ id: "all" }))],
  ["its route is disabled", (at) => open(at).then(() => at.api.updateRoute({ id: "all", enabled: false }))],
])("a notified receiver is not notified again when %s, and is notified of its end once", async (_title, change) => {
  const at = await setUp();
  await change(at);
  await at.stay(10 * MINUTE);
  expect(await at.kinds()).toEqual(["firing"]);
  const [firing] = await invocations(at.fleet);
  const { id: invocation = "" } = firing ?? {};
  expect(await at.api.explainNotice({ invocation, receiver: "room" })).toMatchObject({ verdict: "told" });
  const { alerts } = await at.api.getAlertInvocations({ ids: [invocation] });
  expect(alerts[0]).toMatchObject({ told: [{ receiver: "room", count: 1 }] });
  expect(alerts[0]).not.toHaveProperty("held");
  await at.minute(40);
  await at.fleet.clock.advance(10 * MINUTE);
  expect(await at.kinds()).toEqual(["firing", "cleared"]);
});

test("only the receiver of the new route is notified", async () => {
  const at = await setUp();
  await at.api.updateRoute({ id: "other", match: {}, steps: [{ after: 0, to: ["room", "ops"] }] } as never);
  await at.api.deleteRoute({ id: "all" });
  await at.stay(3 * MINUTE);
  expect(await at.kinds()).toEqual(["firing"]);
  expect(at.sent).toHaveLength(1);
});

test("with two continued routes, repetitions come no sooner than the longer interval allows", async () => {
  const at = await setUp();
  for (const id of ["all", "other"]) await at.api.updateRoute({ id, repeat_interval: 600 });
  await at.api.multiUpdateRoute({ items: [{ id: "other", sort_order: -9 }] });
  await open(at);
  await at.stay(21 * MINUTE);
  expect((await at.kinds()).filter((kind) => kind === "repeat")).toHaveLength(2);
});
