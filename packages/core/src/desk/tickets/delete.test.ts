import { describe, expect, test } from "vitest";
import { administrator, editor, startTickets } from "../../../test/desk/ticket-setup.ts";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import type { Ticket } from "./model.ts";
import { BULK_KIND, bulkDelete, createTicketDeletion } from "./services/bulk-delete.ts";

describe("a ticket that is removed", () => {
  test("is gone from storage and search before the answer, and its number stays used", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    expect(await at.call("delete_ticket", { id })).toEqual({});
    expect((await refusalOf(at.call("get_ticket", { num: 1 }))).code).toBe("notfound");
    expect(await at.call("search_tickets", { query: "lamp" })).toMatchObject({ rows: [], list: { length: 0 } });
    expect((await at.create()).num).toBe(2);
  });

  test("is removed together with its waiting mail", async () => {
    await using at = await startTickets();
    const { id } = await at.create();
    await at.call("update_ticket", { id, status: "closed" });
    expect(await at.waiting(id)).toBeDefined();
    await at.call("delete_ticket", { id });
    expect(await at.waiting(id)).toBeUndefined();
  });

  test("cannot be removed twice", async () => {
    await using at = await startTickets();
    expect(await refusalOf(at.call("delete_ticket", { id: "nope" }))).toEqual({
      code: "ticket",
      description: "Failed to delete ticket: nope: Error: Item not found",
    });
  });
});

describe("a bulk deletion", () => {
  async function withTickets() {
    const at = await startTickets();
    for (const status of ["open", "closed", "closed", "draft"]) await at.create({ status, category: "rail" });
    await at.call("create_ticket", { subject: "Roof", status: "closed" });
    return at;
  }

  test("removes matching tickets, oldest first, with a row for each under the name of its caller", async () => {
    await using at = await withTickets();
    const gone: number[] = [];
    const done = new Promise<void>((resolve) => {
      at.engine.events.on("ticket.deleted", ({ num }) => {
        gone.push(num);
        if (gone.length === 3) resolve();
      });
    });
    const answer = await at.call("bulk_search_delete_tickets", { query: "status:closed" }, editor("bob"));
    expect(answer).toEqual({ id: expect.stringMatching(/^i[a-z0-9]{15}$/) });
    await done;
    expect(gone).toEqual([2, 3, 5]);
    expect(await at.call("search_tickets", { limit: 10, sort_by: "num", sort_dir: 1 })).toMatchObject({
      rows: [{ num: 1 }, { num: 4 }],
      list: { length: 2 },
    });
    const rows = (await at.activity()).filter(({ action }) => action === "ticket_delete");
    expect(rows.map(({ username, ticket }) => [username, (ticket as { num: number }).num])).toEqual([
      ["bob", 2],
      ["bob", 3],
      ["bob", 5],
    ]);
  });

  test("leaves tickets that are newer than the order, and continues over many pages", async () => {
    await using at = await startTickets();
    for (let count = 0; count < 205; count++) await at.create();
    await at.clock.advance(10);
    await at.create();
    const { clock } = at;
    const payload = { id: "i1", query: "*", now: clock.now() - 10, actor: administrator, client: clientOf("test") };
    const item = { id: "w1", kind: BULK_KIND, key: null, attempts: 0, token: "t", payload };
    await bulkDelete(item, at.cradle, new AbortController().signal);
    expect(await at.call("search_tickets", {})).toMatchObject({ rows: [{ num: 206 }], list: { length: 1 } });
  });

  test("spares a ticket that no longer matches at its turn, and does not count it", async () => {
    await using at = await withTickets();
    const { config, events, snapshot, tickets, transact } = at.cradle;
    const { rows } = (await at.call("search_tickets", { query: "status:closed", limit: 10 })) as never as Found;
    const last = rows.find(({ num }) => num === 5)?.id ?? "";
    let turns = 0;
    const reopening: typeof transact = async (work, options) => {
      turns += 1;
      if (turns === 3) await at.call("update_ticket", { id: last, status: "open" });
      return transact(work, options);
    };
    const deletion = createTicketDeletion({ config, events, snapshot, tickets, transact: reopening });
    const told: number[] = [];
    const actor = { ...administrator, categories: ["*"], groups: ["*"] };
    const order = { id: "i1", query: "status:closed", now: at.clock.now(), actor };
    const signal = new AbortController().signal;
    await deletion.run({ ...order, client: clientOf("test") }, { signal, tell: (removed) => told.push(removed) });
    expect(await at.call("search_tickets", {})).toMatchObject({ list: { length: 3 } });
    expect([turns, told.at(-1)]).toEqual([3, 2]);
  });

  test("stops between tickets when the engine stops", async () => {
    await using at = await withTickets();
    const payload = { id: "i1", query: "*", now: at.clock.now(), actor: administrator, client: clientOf("test") };
    const item = { id: "w1", kind: BULK_KIND, key: null, attempts: 0, token: "t", payload };
    await expect(bulkDelete(item, at.cradle, AbortSignal.abort())).rejects.toThrow();
    expect(await at.call("search_tickets", {})).toMatchObject({ list: { length: 5 } });
  });

  test.each([
    ["status:open nope:x", "ticket"],
    ["due:soon", "ticket"],
    ['(status = "open"', "ticket"],
    ['(nope = "open")', "ticket"],
  ])("is refused if its query is not fully understood: %s", async (query, code) => {
    await using at = await withTickets();
    const refusal = await refusalOf(at.call("bulk_search_delete_tickets", { query }));
    expect(refusal).toEqual({ code, description: expect.stringMatching(/^Failed DB search: /) });
    expect(await at.call("search_tickets", {})).toMatchObject({ list: { length: 5 } });
  });

  test.each([{ categories: ["rail"] }, { groups: ["main"] }])("is not for callers limited to %j", async (limits) => {
    await using at = await startTickets();
    const limited = keyWith(["delete_tickets"], limits);
    expect(await refusalOf(at.call("bulk_search_delete_tickets", { query: "*" }, limited))).toEqual({
      code: "access",
      description: "Category or group limited users may not use this API",
    });
  });
});

type Found = { readonly rows: readonly Ticket[] };
const clientOf = (userAgent: string) => ({ ip: "", ips: [], headers: {}, userAgent });
