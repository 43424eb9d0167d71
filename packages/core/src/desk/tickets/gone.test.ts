import { expect, test } from "vitest";
import { startTickets } from "../../../test/desk/ticket-setup.ts";
import { refusalOf } from "../../../test/engine.ts";
import { basic } from "../../../test/work/event-setup.ts";

/** A ticket that names a tag, a category and an event, all of which have been deleted. */
async function setUp() {
  const at = await startTickets();
  const { api } = at.engine;
  await api.createTag({ id: "infra", title: "Infra" });
  await api.createCategory({ id: "old", title: "Old" });
  await api.createEvent({ ...basic, id: "patch" } as never);
  const ticket = await at.create({ tags: ["infra"], category: "old", events: [{ id: "patch", params: {} }] });
  await api.deleteTag({ id: "infra" });
  await api.deleteCategory({ id: "old" });
  await api.deleteEvent({ id: "patch" });
  return { ...at, ticket, update: (changes: object) => at.call("update_ticket", { id: ticket.id, ...changes }) };
}

test("a ticket accepts a change that sends back the names of deleted records", async () => {
  await using at = await setUp();
  const { ticket } = await at.update({ ...at.ticket, status: "closed", tags: ["infra", "important"] });
  expect(ticket).toMatchObject({ status: "closed", tags: ["infra", "important"], category: "old" });
  expect(ticket.events).toEqual([{ id: "patch", params: {} }]);
});

test.each([
  [{ tags: ["infra", "none"] }, "Unknown tag: none"],
  [{ category: "none" }, "Unknown category: none"],
  [{ events: [{ id: "patch", params: {} }, { id: "none" }] }, "Unknown event: none"],
  [{ events: [{ id: "patch", params: { again: 1 } }] }, "Unknown event: patch"],
])("a ticket still may not name another missing record: %j", async (changes, description) => {
  await using at = await setUp();
  expect(await refusalOf(at.update(changes))).toEqual({ code: "ticket", description });
});
