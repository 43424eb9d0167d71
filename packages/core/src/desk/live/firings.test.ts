import { expect, test } from "vitest";
import { lastOf, setUp } from "../../../test/desk/live-setup.ts";
import { START } from "../../../test/engine.ts";
import { invocationCollection } from "../../fleet/alerts/collection.ts";

test("a status update reports that a live firing is gone, and new tickets of a firing", async () => {
  const at = await setUp();
  const common = { date: START, modified: START, active: true, tickets: [], exp: "", message: "", count: 1 };
  const firing = { ...common, server: "s1", groups: [], notified: true, jobs: [] };
  await at.storage.write((tx) =>
    tx.collection(invocationCollection).insertMany(["one", "two", "three"].map((id) => ({ ...firing, id, alert: id }))),
  );
  const { seen } = await at.listen();
  const told = async () => {
    await at.turn();
    return lastOf(seen, "update")?.["activeAlerts"];
  };
  const { ticket } = await at.api.createTicket({ subject: "Hot" });
  await at.api.manageAlertInvocationTickets({ id: "two", tickets: [ticket.id] });
  expect(await told()).toMatchObject({ "s1-one": { tickets: [] }, "s1-two": { tickets: [ticket.id] } });
  await at.api.deleteAlertInvocation({ id: "one" });
  expect(Object.keys((await told()) as object).toSorted()).toEqual(["s1-three", "s1-two"]);
  await at.api.bulkSearchDelete({ index: "alerts", query: "server:s1" });
  await at.turn();
  expect(await told()).toEqual({});
});
