import { pgStorage } from "@signalbox/storage-pg";
import { describe, expect, test } from "vitest";
import { lendDatabase } from "../../storage-pg/test/lent-database.ts";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE, openStorage, STORAGES } from "./open-storage.ts";
import type { Answer } from "./start.ts";

const KEY = "administrator0123456789abc";

async function open(name: string, storage = openStorage(name)) {
  const at = await openEngine(name, { storage: await storage, administratorKey: KEY, config: { tz: "UTC" } });
  for (const id of ["rail", "ops"]) await at.admin.post("create_category", { id, title: id });
  return {
    ...{ engine: at.engine, clock: at.clock },
    ...at.admin,
    form(operation: string, fields: Readonly<Record<string, string | File>>): Promise<Answer> {
      const body = new FormData();
      for (const [field, value] of Object.entries(fields)) body.append(field, value);
      return at.send(`/api/app/${operation}/v1`, { method: "POST", headers: { "x-api-key": KEY }, body });
    },
    /** A caller with its own key. */
    async caller(categories: readonly string[] = []) {
      const privileges = { create_tickets: true, edit_tickets: true, delete_tickets: true };
      const { body } = await at.admin.post("create_api_key", { title: "Caller", privileges, categories });
      const headers = { "x-api-key": body.plain_key, "content-type": "application/json" };
      return {
        id: body.api_key.id as string,
        get: (path: string) => at.send(`/api/app/${path}`, { headers }),
        post: (operation: string, sent: object) =>
          at.send(`/api/app/${operation}/v1`, { method: "POST", headers, body: JSON.stringify(sent) }),
      };
    },
  };
}

describe.each(ONE_STORAGE)("tickets over %s", (name) => {
  test("a ticket lives from its creation to its end", async () => {
    const at = await open(name);
    const caller = await at.caller();
    const made = await caller.post("create_ticket", {
      subject: "Lamp <b>out</b>",
      body: "platform 4",
      category: "rail",
    });
    expect(made).toMatchObject({ status: 200, body: { code: 0, ticket: { num: 1, username: caller.id } } });
    const { ticket } = made.body;
    expect((await at.get("get_ticket/v1?num=1")).body).toEqual({ code: 0, ticket });
    await at.clock.advance(60);
    const closed = await at.post("update_ticket", { ...ticket, status: "closed", tags: ["important"] });
    expect(closed.body.ticket.changes.slice(1)).toMatchObject([
      { key: "status", value: "closed" },
      { key: "tags", value: ["important"] },
    ]);
    const commented = await caller.post("add_ticket_change", {
      id: ticket.id,
      change: { type: "comment", body: "Hm" },
    });
    const [entry] = commented.body.ticket.changes.slice(-1);
    expect(entry).toMatchObject({ type: "comment", body: "Hm", username: caller.id });
    const edit = { id: ticket.id, change_id: entry.id };
    await caller.post("update_ticket_change", { ...edit, change: { body: "Fixed <i>now</i>" } });
    const found = await at.get("search_tickets/v1?query=changes:fixed+status:closed+tags:important&compact=1");
    expect(found.body).toMatchObject({ rows: [{ id: ticket.id, num: 1, changes: 4 }], list: { length: 1 } });
    for (const compact of [true, false]) {
      const { text } = await at.get(`search_tickets/v1?query=changes:fixed&limit=25&compact=${compact}`);
      const inProcess = await at.engine.api.searchTickets({ query: "changes:fixed", limit: 25, compact });
      expect(text).toBe(`${JSON.stringify({ code: 0, ...inProcess })}\n`);
    }
    await caller.post("update_ticket_change", { ...edit, delete: true });
    expect((await at.get("search_tickets/v1?query=changes:fixed")).body).toMatchObject({
      rows: [],
      list: { length: 0 },
    });
    expect((await at.get(`get_tickets/v1?ids=${ticket.id},nope&verbose=1`)).body.tickets).toMatchObject([
      { subject: "Lamp out", changes: [{ key: "created" }, { key: "status" }, { key: "tags" }, { key: "delete" }] },
      { err: "Failed to locate ticket: nope" },
    ]);
    expect((await caller.post("delete_ticket", { id: ticket.id })).text).toBe('{"code":0}\n');
    expect(await at.get(`get_ticket/v1?id=${ticket.id}`)).toMatchObject({
      status: 404,
      body: { code: "notfound", description: `Failed to load ticket: ${ticket.id}: Error: Item not found` },
    });
    const rows = await at.get("search_activity/v1?query=action:ticket_create|ticket_delete&limit=10&sort_dir=1");
    expect(rows.body.rows).toMatchObject([
      { action: "ticket_create", description: ticket.id, ticket: { num: 1 }, username: caller.id },
      { action: "ticket_delete", description: ticket.id, params: { id: ticket.id } },
    ]);
    expect((await at.get("get_global_state/v1")).body.state.next_ticket_num).toBe(2);
  });
});

describe.each(STORAGES)("searches over %s", (name) => {
  test("the search restricts, sorts and pages, and refuses malformed queries", async () => {
    const at = await open(name);
    for (const category of ["rail", "ops", "rail"]) await at.post("create_ticket", { subject: "Lamp", category });
    await at.clock.advance(10);
    await at.post("update_ticket", { id: (await at.get("get_ticket/v1?num=1")).body.ticket.id, due: "2 days" });
    const numsOf = async (query: string, get = at.get) =>
      (await get(`search_tickets/v1?${query}`)).body.rows.map(({ num }: { num: number }) => num);
    expect(await numsOf("limit=10")).toEqual([3, 2, 1]);
    expect(await numsOf("")).toEqual([3]);
    expect(await numsOf("limit=10&sort_by=num&sort_dir=1&offset=1")).toEqual([2, 3]);
    expect(await numsOf("limit=1&sort_by=modified")).toEqual([1]);
    expect(await numsOf("limit=10&query=due:>today")).toEqual([1]);
    expect(await numsOf("limit=10&query=num:2..3+category:rail")).toEqual([3]);
    const ops = await at.caller(["ops"]);
    expect(await numsOf("limit=10&query=lamp|", ops.get)).toEqual([2]);
    expect(await numsOf("limit=10&query=category:rail", ops.get)).toEqual([]);
    expect((await at.get("search_tickets/v1?query=(nope%3D%22x%22)")).body).toMatchObject({ code: "ticket" });
    expect((await at.get("search_tickets/v1?sort_by=nope")).body).toEqual({
      code: "ticket",
      description: "Failed DB search: Error: Cannot find sorter: nope",
    });
  });
});

describe.each(ONE_STORAGE)("limits of callers over %s", (name) => {
  test("restricted callers reach only their categories", async () => {
    const at = await open(name);
    const rail = await at.caller(["rail"]);
    const { id } = (await at.post("create_ticket", { subject: "x", category: "ops" })).body.ticket;
    const body = {
      code: "access",
      description: "You do not have the required account privileges to access category ID ops.",
    };
    expect(await rail.get(`get_ticket/v1?id=${id}`)).toMatchObject({ status: 403, body });
    expect(await rail.post("update_ticket", { id, subject: "y" })).toMatchObject({ status: 403, body });
    expect(await rail.post("delete_ticket", { id })).toMatchObject({ status: 403, body });
    expect((await rail.post("create_ticket", { subject: "x" })).body.description).toMatch(/access category ID \.$/);
    expect((await rail.get(`get_tickets/v1?ids=${id}`)).body.tickets).toEqual([
      { err: `Failed to locate ticket: ${id}` },
    ]);
  });

  test("a form creates a ticket with its files, and a refused one uses neither number nor file", async () => {
    const at = await open(name);
    const log = new File(["12345"], "Job Log.TXT");
    const json = JSON.stringify({ subject: "From json", tags: ["important"] });
    const { ticket } = (await at.form("create_ticket", { json, subject: "From a field", log })).body;
    expect(ticket).toMatchObject({ num: 1, subject: "From json", tags: ["important"], files: [{ size: 5 }] });
    expect(ticket.files[0].path).toMatch(new RegExp(`^files/${ticket.id}/[\\w-]+/[\\w-]{43}/job_log\\.txt$`));
    expect((await at.get(ticket.files[0].path.replace("files/", "file/v1?path="))).text).toBe("12345");
    const plain = (await at.form("create_ticket", { subject: "Fields", assignees: "ada, bob", due: "86400" })).body;
    expect(plain.ticket).toMatchObject({ num: 2, assignees: ["ada", "bob"] });
    const refused = await at.form("create_ticket", { subject: "x", tags: "nope", log });
    expect(refused.body).toEqual({ code: "ticket", description: "Unknown tag: nope" });
    expect((await at.form("create_ticket", { json, empty: new File([], "a.txt") })).body).toEqual({
      code: "api",
      description: "File 'empty' is missing required size property, or is zero bytes.",
    });
    const taken = await at.form("create_ticket", { subject: "x", id: ticket.id, log });
    expect(taken.body.description).toBe(`Failed to create ticket: ID already exists: ${ticket.id}`);
    expect(await at.engine.blobs.list("files/", { limit: 10 })).toEqual([ticket.files[0].path]);
    expect((await at.post("create_ticket", { subject: "Next" })).body.ticket.num).toBe(3);
  });

  test("a file of a ticket's own folder may be named when it is created, but no other", async () => {
    const at = await open(name);
    const token = "x".repeat(43);
    const call = (path: string) => at.post("create_ticket", { subject: "x", id: "own", files: [{ path }] });
    for (const path of ["files/jobs/j1/x/y.txt", `files/own/../other/${token}/a.txt`, `conf/own/a/${token}/a.txt`])
      expect((await call(path)).body).toEqual({ code: "ticket", description: "Malformed ticket parameter: files" });
    expect((await call(`files/own/ada/${token}/a.txt`)).body.ticket.files).toMatchObject([
      { filename: "a.txt", ticket: "own" },
    ]);
  });
});

describe.each(STORAGES)("concurrent writers over %s", (name) => {
  test("give 64 tickets at once the numbers 1 to 64", async () => {
    const at = await open(name);
    const made = await Promise.all(
      Array.from({ length: 64 }, (_, n) => at.post("create_ticket", { subject: `Lamp ${n}` })),
    );
    expect(numbersOf(made)).toEqual(Array.from({ length: 64 }, (_, n) => n + 1));
  });

  test("get a ticket each beside tickets that are refused, without a gap in the numbers", async () => {
    const at = await open(name);
    await at.post("create_ticket", { id: "taken", subject: "Taken" });
    const form = { subject: "With a file", file1: new File(["text"], "a.txt") };
    const answers = await Promise.all([
      at.post("create_ticket", { subject: "One" }),
      at.post("create_ticket", { subject: "Unknown tag", tags: ["nowhere"] }),
      at.post("create_ticket", { id: "taken", subject: "Again" }),
      at.post("create_ticket", { subject: "Too large", tags: [], extra: "é".repeat(700_000) }),
      at.form("create_ticket", form),
      at.post("create_ticket", { subject: "Two" }),
    ]);
    expect(answers.map(({ body }) => body.code)).toEqual([0, "ticket", "ticket", "api", 0, 0]);
    const tickets = answers.flatMap(({ body }) => (body.ticket ? [body.ticket] : []));
    expect(tickets.map(({ num }) => num).toSorted((a, b) => a - b)).toEqual([2, 3, 4]);
    const [file] = tickets.find(({ subject }) => subject === "With a file").files;
    expect((await at.get(file.path)).status).toBe(200);
  });

  test("lose none of many changes at once", async () => {
    const at = await open(name);
    const { id } = (await at.post("create_ticket", { subject: "Lamp" })).body.ticket;
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        n % 2 === 0
          ? at.post("update_ticket", { id, [`member_${n}`]: n })
          : at.post("add_ticket_change", { id, change: { type: "comment", body: `${n}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200));
    const { ticket } = (await at.get(`get_ticket/v1?id=${id}`)).body;
    for (let n = 0; n < 24; n += 2) expect(ticket[`member_${n}`]).toBe(n);
    expect(
      ticket.changes
        .slice(1)
        .map(({ body }: { body: string }) => Number(body))
        .toSorted(ascending),
    ).toEqual(Array.from({ length: 12 }, (_, n) => 2 * n + 1));
  });

  test("a bulk deletion answers with its id and leaves tickets that do not match", async () => {
    const at = await open(name);
    for (const status of ["open", "closed", "closed"]) await at.post("create_ticket", { subject: "Lamp", status });
    const gone = new Set<number>();
    const done = new Promise<void>((resolve) => {
      at.engine.events.on("ticket.deleted", ({ num }) => void (gone.add(num).size === 2 && resolve()));
    });
    expect((await at.post("bulk_search_delete_tickets", {})).body).toEqual({
      code: "api",
      description: "Missing parameter: query",
    });
    expect((await at.post("bulk_search_delete_tickets", { query: "status:closed" })).body).toEqual({
      code: 0,
      id: expect.stringMatching(/^i[a-z0-9]{15}$/),
    });
    await done;
    expect((await at.get("search_tickets/v1?limit=10")).body).toMatchObject({
      rows: [{ num: 1 }],
      list: { length: 1 },
    });
  });
});

test("64 tickets at once on two nodes of one PostgreSQL have the numbers 1 to 64", async () => {
  const connectionString = await lendDatabase();
  const one = await open("postgres", Promise.resolve(pgStorage({ connectionString })));
  const other = await open("postgres", Promise.resolve(pgStorage({ connectionString })));
  const made = await Promise.all(
    Array.from({ length: 64 }, (_, n) => (n % 2 === 0 ? one : other).post("create_ticket", { subject: `Lamp ${n}` })),
  );
  expect(numbersOf(made)).toEqual(Array.from({ length: 64 }, (_, n) => n + 1));
  expect((await other.get("get_global_state/v1")).body.state.next_ticket_num).toBe(65);
  const { id } = made[0]?.body.ticket ?? {};
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other).post("update_ticket", { id, [`m${n}`]: n })),
  );
  const { ticket } = (await one.get(`get_ticket/v1?id=${id}`)).body;
  expect(Array.from({ length: 20 }, (_, n) => ticket[`m${n}`])).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

const ascending = (a: number, b: number): number => a - b;
const numbersOf = (answers: readonly Answer[]): number[] =>
  answers.map(({ body }) => Number(body.ticket?.num)).toSorted(ascending);
