import { describe, expect, test } from "vitest";
import { administrator, editor, startTickets } from "../../../test/desk/ticket-setup.ts";
import { keyWith, refusalOf, START } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";

const created = { type: "change", username: "ada", date: START, key: "created" };

describe("a new ticket", () => {
  test("has the defaults of a record, and no parameters of the operation", async () => {
    await using at = await startTickets();
    const sent = { id: null, template: "", job: "j1", alert: "a1", active_jobs: [1], colour: { any: 1 } };
    const { id } = await at.create(sent);
    expect(await at.read(id)).toEqual({
      ...{ id: expect.stringMatching(/^t[a-z0-9]{15}$/), num: 1, subject: "Lamp", body: "", status: "open" },
      ...{ assignees: [], cc: [], notify: [], tags: [], due: 0, changes: [created], username: "ada" },
      ...{ created: START, modified: START, revision: 1, colour: { any: 1 } },
      cause: { kind: "api_key", id: "ada" },
    });
  });

  test("keeps its members, sanitised", async () => {
    await using at = await startTickets();
    const { id } = await at.create({
      ...{ id: "own_1", subject: "A <b>bold</b>\nlamp", body: "<p>x</p>", type: "bug", status: "in_progress" },
      ...{ category: "rail", server: "nowhere", assignees: ["ada", "gone"], cc: ["ada", "x@example.org"] },
      ...{ notify: ["y@example.org"], tags: ["important"], due: "2027-02-01" },
    });
    expect(await at.read(id)).toMatchObject({
      ...{ id: "own_1", subject: "A bold lamp", body: "x", type: "bug", status: "in_progress", category: "rail" },
      ...{ server: "nowhere", assignees: ["ada", "gone"], cc: ["ada", "x@example.org"], notify: ["y@example.org"] },
      ...{ tags: ["important"], due: Date.parse("2027-02-01T00:00:00Z") / 1000 },
    });
  });

  test.each(["draft", "open", "closed", "in_progress", "on_hold", "resolved"])("may be %s", async (status) => {
    await using at = await startTickets();
    expect((await at.create({ status })).status).toBe(status);
  });

  test.each([
    ...["issue", "feature", "release", "change", "maintenance", "question", "other", "task", "bug", "incident"],
  ])("may be of the type %s", async (type) => {
    await using at = await startTickets();
    expect((await at.create({ type })).type).toBe(type);
  });

  test("may have a status and a type that the host has added", async () => {
    const tickets = { more_statuses: [{ id: "asleep", title: "Asleep" }], more_types: [{ id: "wish", title: "Wish" }] };
    await using at = await startTickets({ config: { tickets } as never });
    expect(await at.create({ status: "asleep", type: "wish" })).toMatchObject({ status: "asleep", type: "wish" });
  });

  test("owns its number, times and history: sent ones are ignored", async () => {
    await using at = await startTickets();
    const forged = { num: 77, created: 1, modified: 2, changes: [{ type: "comment", id: "c1" }], username: "eve" };
    expect(await at.create(forged)).toMatchObject({
      ...{ num: 1, created: START, modified: START, changes: [created], username: "ada" },
    });
  });

  test("has the author that an administrator names", async () => {
    await using at = await startTickets();
    const ticket = await at.create({ username: "grace" }, administrator);
    expect(ticket).toMatchObject({ username: "grace", changes: [{ key: "created", username: "root" }] });
  });

  test("gets neither the id nor the number of another", async () => {
    await using at = await startTickets();
    await at.create({ id: "own" });
    expect(await refusalOf(at.create({ id: "own" }))).toEqual({
      code: "ticket",
      description: "Failed to create ticket: ID already exists: own",
    });
    await at.call("delete_ticket", { id: "own" });
    expect((await at.create({ id: "own" })).num).toBe(2);
  });

  test("a refused ticket leaves no gap in the numbers", async () => {
    await using at = await startTickets();
    await at.create();
    await refusalOf(at.create({ tags: ["nope"] }));
    await refusalOf(at.create({ body: "x".repeat(2_000_000) }));
    expect((await at.create()).num).toBe(2);
  });

  test("may be as large as records may be at most", async () => {
    await using at = await startTickets({ config: { api: { max_record_size: 2000 } } as never });
    expect(await refusalOf(at.create({ body: "ä".repeat(1000) }))).toEqual({
      code: "api",
      description: "Record is too large.",
    });
    const { id } = await at.create();
    const change = { type: "comment", body: "x".repeat(1500) };
    await at.call("add_ticket_change", { id, change });
    expect((await refusalOf(at.call("add_ticket_change", { id, change }))).description).toBe("Record is too large.");
  });
});

describe("members that no ticket can have are refused", () => {
  const malformed = (name: string) => ({ code: "ticket", description: `Malformed ticket parameter: ${name}` });
  const refused = (code: string, description: string) => ({ code, description });

  const unchanged = shared(startTickets);
  test.each([
    [{ assignees: "ada" }, malformed("assignees")],
    [{ assignees: { a: 1 } }, malformed("assignees")],
    [{ cc: 5 }, malformed("cc")],
    [{ notify: true }, malformed("notify")],
    [{ tags: "important" }, malformed("tags")],
    [{ changes: "x" }, malformed("changes")],
    [{ assignees: [5] }, malformed("assignees")],
    [{ due: "soon" }, malformed("due")],
    [{ due: {} }, malformed("due")],
    [{ events: [{ params: {} }] }, malformed("events")],
    [{ files: [{ path: "files/other/ada/x/y.txt" }] }, malformed("files")],
    [{ files: "x" }, malformed("files")],
    [{ type: "riddle" }, refused("ticket", "Unknown ticket type: riddle")],
    [{ status: "asleep" }, refused("ticket", "Unknown ticket status: asleep")],
    [{ tags: ["important", "nope"] }, refused("ticket", "Unknown tag: nope")],
    [{ tags: ["_success"] }, refused("ticket", "Unknown tag: _success")],
    [{ category: "nope" }, refused("ticket", "Unknown category: nope")],
    [{ events: [{ id: "nope" }] }, refused("ticket", "Unknown event: nope")],
    [{ subject: "" }, refused("api", "Malformed parameter: subject")],
    [{ subject: "<i></i>" }, refused("api", "Malformed parameter: subject")],
    [{ subject: { a: 1 } }, refused("api", "Malformed parameter: subject")],
  ])("%j", async (members, expected) => {
    const at = await unchanged();
    const { id } = await at.create();
    expect(await refusalOf(at.create(members))).toEqual(expected);
    expect(await refusalOf(at.call("update_ticket", { id, ...members }))).toEqual(expected);
  });

  test.each([
    ["create_ticket", {}, "Missing parameter: subject"],
    ["create_ticket", { subject: null }, "Missing parameter: subject"],
    ["create_ticket", { subject: "x", id: "Not-an-id" }, "Malformed parameter: id"],
    ["create_ticket", { subject: "x", id: 5 }, "Invalid ID parameter: 5 (not a string)"],
    ["create_ticket", { subject: "x", constructor: 1 }, "Invalid parameter: constructor (illegal key)"],
    ["create_ticket", { subject: "x", json: "{" }, expect.stringMatching(/^Failed to parse JSON: /)],
    ["update_ticket", { subject: "x" }, "Missing parameter: id"],
    ["update_ticket", { id: "t1", subject: { toString: 1 } }, "Malformed parameter: subject"],
    ["add_ticket_change", { change: { type: "comment" } }, "Missing parameter: id"],
    ["update_ticket_change", { id: "t1" }, "Missing parameter: change_id"],
    ["update_ticket_change", { id: "t1", change_id: "a-b" }, "Malformed parameter: change_id"],
    ["delete_ticket", {}, "Missing parameter: id"],
    ["bulk_search_delete_tickets", {}, "Missing parameter: query"],
    ["search_tickets", { query: 5 }, expect.stringContaining("query")],
  ])("%s %j", async (operation, input, description) => {
    await using at = await startTickets();
    expect(await refusalOf(at.call(operation, input))).toEqual({ code: "api", description });
  });

  test("before credentials are checked, except references that must be looked up", async () => {
    await using at = await startTickets();
    const nobody = { ...editor(), kind: "anonymous" as const, id: "", privileges: {} };
    const call = (input: object) => refusalOf(at.call("create_ticket", { subject: "x", ...input }, nobody));
    expect((await call({ due: "soon" })).code).toBe("ticket");
    expect((await call({ tags: ["nope"] })).code).toBe("session");
    expect((await call({ category: "nope" })).code).toBe("session");
  });

  test("values of an update are checked before its id", async () => {
    await using at = await startTickets();
    expect((await refusalOf(at.call("update_ticket", { due: "soon" }))).description).toBe(
      "Malformed ticket parameter: due",
    );
    expect(await refusalOf(at.call("update_ticket", { type: "riddle" }))).toEqual({
      code: "ticket",
      description: "Unknown ticket type: riddle",
    });
    expect((await refusalOf(at.call("update_ticket", { id: "a-b", status: "asleep" }))).description).toBe(
      "Unknown ticket status: asleep",
    );
  });

  test("a value that the host has added does not stand in for the id", async () => {
    const tickets = { more_types: [{ id: "wish", title: "Wish" }] };
    await using at = await startTickets({ config: { tickets } as never });
    expect((await refusalOf(at.call("update_ticket", { type: "wish" }))).description).toBe("Missing parameter: id");
  });

  test("events whose fields are not filled", async () => {
    await using at = await startTickets();
    const { event } = await at.engine.api.createEvent({
      ...{ title: "E", enabled: true, category: "rail", plugin: "testplug", targets: ["main"], algo: "random" },
      ...{ triggers: [], fields: [{ id: "town", title: "Town", type: "text", required: true, regex: "^[a-z]+$" }] },
    } as never);
    const withParams = (params: object) => at.create({ events: [{ id: event.id, params }] });
    expect(await refusalOf(withParams({}))).toEqual({
      code: "ticket",
      description: "Ticket Event: Parameter 'town' is required.",
    });
    expect(await refusalOf(withParams({ town: "A1" }))).toEqual({
      code: "ticket",
      description: "Ticket Event: Parameter 'town' value is invalid.",
    });
    expect((await withParams({ town: "oslo" })).events).toEqual([{ id: event.id, params: { town: "oslo" } }]);
  });
});

describe("tickets are read", () => {
  test("by id, which takes precedence over the number", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    await at.create();
    expect((await at.call("get_ticket", { id, num: 2 })).ticket.num).toBe(1);
    expect((await at.call("get_ticket", { num: "2" })).ticket.num).toBe(2);
    expect((await at.call("get_ticket", { id: "", num: "2" })).ticket.num).toBe(2);
    expect((await at.call("get_ticket", { id, num: "" })).ticket.num).toBe(1);
  });

  test.each([
    [{}, "ticket", "No ticket ID or number specified."],
    [{ id: "", num: "" }, "ticket", "No ticket ID or number specified."],
    [{ id: "nope" }, "notfound", "Failed to load ticket: nope: Error: Item not found"],
    [{ num: 99 }, "notfound", "Ticket not found: 99"],
    [{ num: 9_007_199_254_740_991 }, "notfound", "Ticket not found: 9007199254740991"],
  ])("except %j, which names none", async (input, code, description) => {
    await using at = await startTickets();
    await at.create();
    expect(await refusalOf(at.call("get_ticket", input))).toEqual({ code, description });
  });

  test("several in their order, with repeats, and without tickets out of the caller's reach", async () => {
    await using at = await startTickets();
    await at.create({ id: "a", category: "rail", body: "x" });
    await at.create({ id: "b", category: "ops" });
    await at.create({ id: "c" });
    const ops = keyWith([], { categories: ["ops"] });
    const { tickets } = (await at.call("get_tickets", { ids: "b,a, c,nope,b" }, ops)) as unknown as {
      tickets: Record<string, unknown>[];
    };
    expect(tickets).toMatchObject([
      { id: "b" },
      { err: "Failed to locate ticket: a" },
      { err: "Failed to locate ticket: c" },
      { err: "Failed to locate ticket: nope" },
      { id: "b" },
    ]);
    expect(tickets[0]).not.toHaveProperty("body");
    expect(tickets[0]).not.toHaveProperty("changes");
    const whole = await at.call("get_tickets", { ids: ["a"], verbose: "1" });
    expect(whole).toMatchObject({ tickets: [{ id: "a", body: "x", changes: [created] }] });
  });

  test.each([{}, { ids: [] }, { ids: "" }, { ids: 5 }, { ids: [5] }])(
    "several, except %j, which names none",
    async (input) => {
      await using at = await startTickets();
      expect(await refusalOf(at.call("get_tickets", input))).toEqual({
        code: "ticket",
        description: "Missing or malformed ids parameter.",
      });
    },
  );
});
