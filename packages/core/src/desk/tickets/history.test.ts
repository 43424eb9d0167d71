import { describe, expect, test } from "vitest";
import { administrator, editor, startTickets } from "../../../test/desk/ticket-setup.ts";
import { keyWith, refusalOf, START } from "../../../test/engine.ts";
import type { TicketChange } from "./model.ts";

const created = { type: "change", username: "ada", date: START, key: "created" };
const comment = (body: string) => ({ type: "comment", body });
const idOf = (changes: readonly TicketChange[], index: number): string => changes[index]?.id ?? "";

describe("an update", () => {
  test("replaces sent members completely, and leaves the others alone", async () => {
    await using at = await startTickets();
    const { id } = await at.create({ assignees: ["ada", "bob"], colour: { a: 1, b: 2 }, body: "x", tags: ["flag"] });
    await at.clock.advance(100);
    const { ticket } = await at.call("update_ticket", { id, assignees: ["eve"], colour: { a: 3 } }, editor("bob"));
    expect(ticket).toMatchObject({ assignees: ["eve"], body: "x", tags: ["flag"], modified: START + 100 });
    expect(ticket["colour"]).toEqual({ a: 3 });
    expect(ticket.changes).toEqual([
      created,
      { type: "change", username: "bob", date: START + 100, key: "assignees", value: ["eve"] },
    ]);
    expect(await at.read(id)).toEqual(ticket);
  });

  test("never adds to values: texts that look like steps are plain texts", async () => {
    await using at = await startTickets();
    const { id, num } = await at.create();
    const { ticket } = await at.call("update_ticket", { id, subject: "+1", body: "-word", weight: "+5", num: "+5" });
    expect(ticket).toMatchObject({ subject: "+1", body: "-word", weight: "+5", num });
  });

  test("keeps the author except for administrators", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    expect((await at.call("update_ticket", { id, username: "eve" })).ticket.username).toBe("ada");
    expect((await at.call("update_ticket", { id, username: "eve" }, administrator)).ticket.username).toBe("eve");
  });

  test("of the body records that it changed, not how", async () => {
    await using at = await startTickets();
    const { id } = await at.create({ body: "x" });
    expect((await at.call("update_ticket", { id, body: "<b>x</b>" })).ticket.changes).toEqual([created]);
    expect((await at.call("update_ticket", { id, body: "y" })).ticket.changes.slice(1)).toEqual([
      { type: "change", username: "ada", date: START, key: "body" },
    ]);
  });

  test.each([
    [{ due: 0 }, 0],
    [{ due: "" }, ""],
    [{ due: null }, 0],
  ])("removes the due date with %j", async (sent, stored) => {
    await using at = await startTickets();
    const { id } = await at.create({ due: "2027-02-01" });
    const { ticket } = await at.call("update_ticket", { id, ...sent });
    expect(ticket.due).toBe(stored);
    expect(ticket.changes.at(-1)).toMatchObject({ key: "due", value: stored });
  });

  test.each(["add_ticket_change", "update_ticket", "update_ticket_change"])(
    "an unknown ticket is refused by %s",
    async (operation) => {
      await using at = await startTickets();
      const input = { id: "nope", change: comment("x"), change_id: "c1" };
      expect(await refusalOf(at.call(operation, input))).toEqual({
        code: "ticket",
        description: "Failed to load ticket: nope: Error: Item not found",
      });
    },
  );

  test("keeps known files in the order that is sent, and takes no new ones from elsewhere", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    const file = (name: string) => ({
      ...{ id: name, filename: name, path: `files/${id}/ada/${"x".repeat(43)}/${name}.txt`, size: 1, date: START },
      ...{ username: "ada", ticket: id },
    });
    await at.cradle.transact((unit) =>
      at.cradle.tickets.setFiles(unit, id, () => [file("a"), file("b"), file("c")], {
        username: "ada",
        isAdmin: false,
      }),
    );
    const sent = [{ path: file("c").path, size: 999, filename: "forged" }, { path: file("a").path }];
    expect((await at.call("update_ticket", { id, files: sent })).ticket.files).toEqual([file("c"), file("a")]);
    for (const path of [`files/${id}/../x/y/z.txt`, "files/other/ada/t/x.txt", `files/${id}x/ada/t/x.txt`, "conf/x"])
      expect((await refusalOf(at.call("update_ticket", { id, files: [{ path }] }))).description).toBe(
        "Malformed ticket parameter: files",
      );
    expect((await at.call("update_ticket", { id, files: [] })).ticket).toHaveProperty("files", []);
  });
});

describe("an entry of the history", () => {
  test("is stamped by the engine and keeps its other members", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    const change = {
      ...comment("Hi <b>you</b>"),
      id: "c1",
      username: "eve",
      date: 1,
      edited: 1,
      key: "status",
      mood: 1,
    };
    const { ticket } = await at.call("add_ticket_change", { id, change });
    expect(ticket.changes).toEqual([
      created,
      {
        ...{ type: "comment", body: "Hi you", mood: 1, id: expect.stringMatching(/^c[a-z0-9]{15}$/) },
        ...{ username: "ada", date: START, key: "status" },
      },
    ]);
    await at.call("update_ticket", { id, status: "closed" });
    await at.call("add_ticket_change", { id, change });
    const { ticket: later } = await at.call("add_ticket_change", { id, change: { ...change, key: 5 } });
    expect(later.changes.map(({ key, value }) => [key, value])).toEqual([
      ["created", undefined],
      ["status", undefined],
      ["status", "closed"],
      ["status", undefined],
      [undefined, undefined],
    ]);
  });

  test.each([
    [{}, "ticket", "Missing required 'change' parameter."],
    [{ change: "x" }, "ticket", "Missing required 'change' parameter."],
    [{ change: { body: "x" } }, "ticket", "Change requires a 'type' parameter."],
    [{ change: { type: "Not A Word" } }, "api", "Malformed parameter: type"],
  ])("is refused for %j", async (input, code, description) => {
    await using at = await startTickets();
    const { id } = await at.create();
    expect(await refusalOf(at.call("add_ticket_change", { id, ...input }))).toEqual({ code, description });
  });

  test("is edited by its author and by administrators alone", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    const { ticket } = await at.call("add_ticket_change", { id, change: comment("old") });
    const change_id = idOf(ticket.changes, 1);
    await at.clock.advance(60);
    const sent = { id, change_id, change: { body: "new<i>", type: "status", key: "status", username: "eve" } };
    expect(await refusalOf(at.call("update_ticket_change", sent, editor("bob")))).toEqual({
      code: "ticket",
      description: "You do not have the required privileges to update comments posted by others.",
    });
    const edited = (await at.call("update_ticket_change", sent)).ticket;
    expect(edited.changes[1]).toEqual({ ...ticket.changes[1], body: "new", edited: START + 60 });
    expect(edited.changes).toHaveLength(2);
    expect((await at.call("update_ticket_change", sent, administrator)).ticket.changes[1]?.body).toBe("new");
  });

  test("leaves a deletion mark when removed, and `delete` takes precedence over `change`", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    const { ticket } = await at.call("add_ticket_change", { id, change: comment("old") });
    const input = { id, change_id: idOf(ticket.changes, 1), change: { body: "new" }, delete: true };
    expect((await at.call("update_ticket_change", input)).ticket.changes).toEqual([
      created,
      { type: "change", username: "ada", date: START, key: "delete" },
    ]);
  });

  test.each([
    [{ change_id: "nope", change: { body: "x" } }, (id: string) => `Change not found in ticket: ${id}/nope`],
    [{ change_id: "nope" }, () => "Missing required 'change' parameter."],
    [{ change_id: "nope", delete: "0" }, () => "Missing required 'change' parameter."],
  ])("is not found for %j", async (input, description) => {
    await using at = await startTickets();
    const { id } = await at.create();
    expect(await refusalOf(at.call("update_ticket_change", { id, ...input }))).toEqual({
      code: "ticket",
      description: description(id),
    });
  });
});

describe("a draft", () => {
  test("keeps its comments and records nothing else until it is published", async () => {
    await using at = await startTickets();
    const { id } = await at.create({ status: "draft" });
    await at.call("update_ticket", { id, subject: "New" });
    await at.call("add_ticket_change", { id, change: comment("x") });
    expect((await at.read(id)).changes).toMatchObject([created, { type: "comment" }]);
    expect(await at.waiting(id)).toBeUndefined();
    await at.clock.advance(60);
    await at.call("update_ticket", { id, status: "open", type: "bug" });
    expect((await at.read(id)).changes.slice(2)).toMatchObject([
      { key: "type", value: "bug" },
      { key: "status", value: "open" },
    ]);
    expect(await at.waiting(id)).toEqual(["type", "status"]);
  });

  test("leaves no mark of a removed comment", async () => {
    await using at = await startTickets();
    const { id } = await at.create({ status: "draft" });
    const { ticket } = await at.call("add_ticket_change", { id, change: comment("x") });
    await at.call("update_ticket_change", { id, change_id: idOf(ticket.changes, 1), delete: true });
    expect((await at.read(id)).changes).toEqual([created]);
  });

  test("a ticket that becomes a draft withdraws its waiting mail", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    await at.clock.advance(1);
    await at.call("update_ticket", { id, status: "closed" });
    expect(await at.waiting(id)).toContain("status");
    await at.call("update_ticket", { id, status: "draft" });
    expect(await at.waiting(id)).toBeUndefined();
    expect((await at.read(id)).changes).toHaveLength(2);
  });
});

describe("changes of a ticket are reported by", () => {
  test("rows of the activity log hold the members of the contract", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    await at.call("update_ticket", { id, status: "closed" });
    const { ticket } = await at.call("add_ticket_change", { id, change: comment("x") });
    const change_id = idOf(ticket.changes, 2);
    await at.call("update_ticket_change", { id, change_id, change: { body: "y" } });
    await at.call("update_ticket_change", { id, change_id, delete: true });
    await at.call("delete_ticket", { ...ticket, id });
    const shown = { id, num: 1, subject: "Lamp" };
    const whole = (status: string, entries: object = {}) => expect.objectContaining({ ...shown, status, ...entries });
    const rows = (await at.activity()).map(({ action, description, keywords, username, ticket: of, ...rest }) => {
      expect({ description, username, first: keywords[0] }).toEqual({ description: id, username: "ada", first: id });
      return { action, of, change: rest["change"], params: rest["params"] };
    });
    const entry = { type: "comment", id: change_id, body: "x", username: "ada", date: START };
    expect(rows).toEqual([
      { action: "ticket_create", of: whole("open") },
      { action: "ticket_update", of: whole("closed") },
      { action: "ticket_add_change", of: shown, change: entry },
      { action: "ticket_update_change", of: shown, change: { ...entry, body: "y", edited: START } },
      { action: "ticket_update_change", of: shown, change: { ...entry, body: "y", edited: START, delete: true } },
      { action: "ticket_delete", of: whole("closed"), params: { id } },
    ]);
    for (const { of } of rows) expect(of).not.toHaveProperty("changes");
  });

  test("counters of the day", async () => {
    await using at = await startTickets();
    const { id } = await at.create({ status: "closed" });
    await at.call("update_ticket", { id, status: "open" });
    await at.call("update_ticket", { id, status: "closed" });
    await at.call("update_ticket", { id, status: "closed", subject: "x" });
    await at.call("add_ticket_change", { id, change: comment("x") });
    await refusalOf(at.create({ tags: ["nope"] }));
    await at.call("search_tickets", { query: "lamp" });
    await at.call("delete_ticket", { id });
    expect(await at.counters()).toMatchObject({
      ...{ ticket_create: 1, ticket_update: 3, ticket_close: 1, ticket_add_change: 1, ticket_delete: 1, search: 1 },
    });
  });

  test("in-process events, after the commit", async () => {
    await using at = await startTickets();
    const told: unknown[] = [];
    for (const type of ["ticket.created", "ticket.updated", "ticket.deleted"] as const)
      at.engine.events.on(type, (payload) => void told.push({ type, ...payload }));
    const { id } = await at.create({ category: "rail" });
    await at.call("update_ticket", { id, status: "closed" });
    await at.call("delete_ticket", { id });
    const facts = { id, num: 1, category: "rail", by: "ada" };
    expect(told).toEqual([
      { type: "ticket.created", ...facts },
      { type: "ticket.updated", ...facts, keys: ["status"] },
      { type: "ticket.deleted", ...facts },
    ]);
  });

  test("the next number, to administrators", async () => {
    await using at = await startTickets();
    const stateOf = async (actor = administrator) =>
      (await at.call("get_global_state", {}, actor))["state"] as Record<string, unknown>;
    expect((await stateOf())["next_ticket_num"]).toBe(1);
    const { id } = await at.create();
    await at.call("delete_ticket", { id });
    expect((await stateOf())["next_ticket_num"]).toBe(2);
    expect(await stateOf(keyWith([]))).not.toHaveProperty("next_ticket_num");
    expect(await refusalOf(at.call("update_global_state", { next_ticket_num: 9 }, administrator))).toMatchObject({
      description: "Malformed parameter: next_ticket_num",
    });
  });
});
