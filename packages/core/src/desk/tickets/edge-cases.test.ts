import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { administrator, editor, startTickets } from "../../../test/desk/ticket-setup.ts";
import { keyWith, refusalOf, START } from "../../../test/engine.ts";
import { localClient } from "../../kernel/calls/context.ts";
import { systemAuthor, type Ticket } from "./model.ts";

const form = { client: { ...localClient, headers: { "content-type": "multipart/form-data; boundary=x" } } };
const comment = (body: string) => ({ type: "comment", body });

/** Numbered like docs/contract/tickets.md#edge-cases; cases about files, jobs and mails are tested next to their code. */
describe("edge cases of tickets", () => {
  test("1: whole records are accepted when posted back", async () => {
    await using at = await startTickets();
    const ticket = await at.create({ category: "rail", due: "3 days", tags: ["important"], cc: ["x@example.org"] });
    await at.clock.advance(120);
    const { ticket: updated } = await at.call("update_ticket", { ...ticket, session_id: "s", status: "closed" });
    expect(updated).toEqual({
      ...ticket,
      status: "closed",
      modified: START + 120,
      revision: 2,
      changes: [
        ...ticket.changes,
        { type: "change", username: "ada", date: START + 120, key: "status", value: "closed" },
      ],
    });
    expect(await at.call("delete_ticket", { ...updated })).toEqual({});
  });

  test("2: a restricted caller needs a category, and access to both categories to move a ticket", async () => {
    await using at = await startTickets();
    const rail = keyWith(["create_tickets", "edit_tickets", "delete_tickets"], { categories: ["rail"] });
    const refused = (id: string) => ({
      code: "access",
      description: `You do not have the required account privileges to access category ID ${id}.`,
    });
    expect(await refusalOf(at.create({}, rail))).toEqual(refused(""));
    expect(await refusalOf(at.create({ category: "" }, rail))).toEqual(refused(""));
    expect(await refusalOf(at.create({ category: "ops" }, rail))).toEqual(refused("ops"));
    const { id } = await at.create({ category: "rail" }, rail);
    const update = (input: object) => refusalOf(at.call("update_ticket", { id, ...input }, rail));
    expect(await update({ category: "ops" })).toEqual(refused("ops"));
    expect(await update({ category: "" })).toEqual(refused(""));
    expect(await update({ category: null })).toEqual(refused(""));
    await at.call("update_ticket", { id, category: "ops" }, administrator);
    expect(await update({ category: "rail" })).toEqual(refused("ops"));
    expect(await update({ subject: "x" })).toEqual(refused("ops"));
    const others = ["get_ticket", "add_ticket_change", "update_ticket_change", "delete_ticket"];
    for (const operation of others) {
      const input = { id, change: comment("x"), change_id: "c1" };
      expect(await refusalOf(at.call(operation, input, rail))).toEqual(refused("ops"));
    }
  });

  test("2: a restricted caller finds no tickets of others by any query", async () => {
    await using at = await startTickets();
    for (const category of ["rail", "ops", ""]) await at.create({ category });
    const rail = keyWith([], { categories: ["rail"] });
    const queries = ["*", "lamp", "lamp |", '"lamp', "category:ops|rail", "num:>0", "(num > 0)", "#id:", "-x lamp"];
    for (const query of queries) {
      const { rows } = (await at.call("search_tickets", { query, limit: 10 }, rail)) as unknown as { rows: Ticket[] };
      expect(rows.filter(({ category }) => category !== "rail")).toEqual([]);
    }
  });

  test("3: a body like an exclusion and a subject like a step are plain texts", async () => {
    await using at = await startTickets();
    const { id } = await at.create({ subject: "+1", body: "-word more" });
    expect(await at.read(id)).toMatchObject({ subject: "+1", body: "-word more" });
    expect(await at.call("search_tickets", { query: "word" })).toMatchObject({ list: { length: 1 } });
  });

  test("4: lists come as texts and flags as 1 from clients that use the query string", async () => {
    await using at = await startTickets();
    for (const id of ["a", "b"]) await at.create({ id, body: "x" });
    expect(await at.call("get_tickets", { ids: "b, a", verbose: "1" })).toMatchObject({
      tickets: [{ id: "b", body: "x" }, { id: "a" }],
    });
    const { rows } = (await at.call("search_tickets", { query: "*", compact: "1" })) as unknown as { rows: Ticket[] };
    expect(rows[0]).toMatchObject({ id: "b", changes: 1 });
    expect(rows[0]).not.toHaveProperty("body");
  });

  test("5: a ticket is found by a number that comes as text", async () => {
    await using at = await startTickets();
    await at.create();
    expect((await at.call("get_ticket", { num: "1" })).ticket.num).toBe(1);
  });

  test("6: two comments that one user removes within a minute leave one entry", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    for (const body of ["a", "b"]) await at.call("add_ticket_change", { id, change: comment(body) });
    for (const { id: change_id } of (await at.read(id)).changes)
      if (change_id) await at.call("update_ticket_change", { id, change_id, delete: 1 });
    expect((await at.read(id)).changes.map(({ key }) => key)).toEqual(["created", "delete"]);
  });

  test("7: removing all assignees is recorded as an empty list", async () => {
    await using at = await startTickets();
    const { id } = await at.create({ assignees: ["ada"] });
    const { ticket } = await at.call("update_ticket", { id, assignees: [] });
    expect(ticket.changes.at(-1)).toMatchObject({ key: "assignees", value: [] });
  });

  test("9: the creation entry cannot be edited, because it has no id", async () => {
    await using at = await startTickets();
    const { id, changes } = await at.create();
    expect(changes).toEqual([{ type: "change", username: "ada", date: START, key: "created" }]);
    for (const change_id of ["undefined", "created"])
      expect((await refusalOf(at.call("update_ticket_change", { id, change_id, delete: true }))).description).toBe(
        `Change not found in ticket: ${id}/${change_id}`,
      );
  });

  test("11: fields of a form, `json`, or both; `json` wins", async () => {
    await using at = await startTickets();
    const ticket = async (input: object) => (await at.call("create_ticket", { ...input }, editor(), form)).ticket;
    expect(await ticket({ subject: "Form", tags: "important, flag", due: "86400", assignees: ["ada"] })).toMatchObject({
      ...{ subject: "Form", tags: ["important", "flag"], due: START - (START % 86_400) + 86_400, assignees: ["ada"] },
    });
    const json = JSON.stringify({ subject: "Json", cc: ["ada"], id: "own" });
    expect(await ticket({ json })).toMatchObject({ id: "own", subject: "Json", cc: ["ada"] });
    expect(await ticket({ subject: "Form", body: "both", json: '{"subject":"Json"}' })).toMatchObject({
      ...{ subject: "Json", body: "both" },
    });
    const both = { subject: "x", json: '{"__proto__":{}}' };
    expect((await refusalOf(ticket(both))).description).toBe("Invalid parameter: __proto__ (illegal key)");
    expect(await at.read("own")).not.toHaveProperty("json");
  });

  test("12: once answered, the ticket is found by its number and in the search", async () => {
    await using at = await startTickets();
    const { num } = await at.create({ body: "quaint" });
    expect((await at.call("get_ticket", { num })).ticket.num).toBe(num);
    expect(await at.call("search_tickets", { query: "quaint" })).toMatchObject({ list: { length: 1 } });
  });

  test("16: names of deleted users stay unchanged", async () => {
    await using at = await startTickets();
    const { id } = await at.create({ assignees: ["gone"], cc: ["gone"] });
    expect(await at.call("update_ticket", { id, subject: "x" })).toMatchObject({
      ticket: { assignees: ["gone"], cc: ["gone"] },
    });
  });

  test("17: files added meanwhile survive an update", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    const { tickets, transact } = at.cradle;
    const file = (n: number) => ({
      ...{
        id: `f${n}`,
        filename: `${n}.txt`,
        path: `files/${id}/ada/${"x".repeat(43)}/${n}.txt`,
        size: 1,
        date: START,
      },
    });
    await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        await transact((unit) => tickets.setFiles(unit, id, (files) => [...files, file(n)], systemAuthor));
        await at.call("update_ticket", { id, subject: `Subject ${n}` });
      }),
    );
    const ticket = await at.read(id);
    expect(ticket.files?.map(({ id: name }) => name).toSorted()).toEqual(Array.from({ length: 10 }, (_, n) => `f${n}`));
    expect(ticket.subject).toMatch(/^Subject \d$/);
  });

  test("18: tickets of actions have the author `system`", async () => {
    await using at = await startTickets();
    const { tickets, transact } = at.cradle;
    const ticket = await transact((unit) => tickets.create(unit, { subject: "By an action" }, systemAuthor));
    expect(ticket).toMatchObject({ username: "system", changes: [{ key: "created", username: "system" }] });
    const { body } = await at.read(ticket.id);
    expect(body).toBe("");
  });
});

describe("files of a ticket", () => {
  test("expired files leave the record with the next write, not before", async () => {
    await using at = await startTickets({ config: { file_expiration: "1 minute" } as never });
    const { id } = await at.create();
    const path = `files/${id}/ada/${"x".repeat(43)}/a.txt`;
    await at.cradle.transact((unit) =>
      at.cradle.tickets.setFiles(
        unit,
        id,
        () => [{ id: "f1", filename: "a", path, size: 1, date: START }],
        systemAuthor,
      ),
    );
    expect((await at.read(id)).modified).toBe(START);
    await at.clock.advance(60);
    expect((await at.read(id)).files).toHaveLength(1);
    await at.call("add_ticket_change", { id, change: comment("x") });
    expect(await at.read(id)).toHaveProperty("files", []);
  });
});

test("many concurrent changes are all kept", async () => {
  const names = ["ada", "bob", "eve"] as const;
  const step = fc.record({
    by: fc.constantFrom(...names),
    member: fc.constantFrom("tag", "comment", "colour", "weight"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      await using at = await startTickets();
      const { id } = await at.create();
      await Promise.all(
        steps.map(({ by, member }, index) =>
          member === "comment"
            ? at.call("add_ticket_change", { id, change: comment(`${index}`) }, editor(by))
            : at.call("update_ticket", { id, [`${member}_${index}`]: by }, editor(by)),
        ),
      );
      const ticket = await at.read(id);
      for (const [index, { by, member }] of steps.entries())
        if (member === "comment")
          expect(ticket.changes).toContainEqual(expect.objectContaining({ body: `${index}`, username: by }));
        else expect(ticket[`${member}_${index}`]).toBe(by);
      expect(await at.activity()).toHaveLength(steps.length + 1);
    }),
    { numRuns: 15 },
  );
});
