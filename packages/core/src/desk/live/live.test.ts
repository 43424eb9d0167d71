import { describe, expect, test } from "vitest";
import { dataOf, lastOf, type Members, names, setUp } from "../../../test/desk/live-setup.ts";
import { keyWith, START } from "../../../test/engine.ts";
import { invocationCollection } from "../../fleet/alerts/collection.ts";
import { serverCollection } from "../../fleet/servers/collection.ts";
import { type Actor, systemActor } from "../../kernel/calls/context.ts";
import type { LiveUpdate } from "./model.ts";
import type { UpdateStream } from "./operations.ts";

describe("a stream of updates", () => {
  test("begins with the version and sends a status every second", async () => {
    const at = await setUp();
    await at.jobs.active("j1");
    const { seen, statuses } = await at.listen();
    await at.clock.advance(3);
    expect(seen).toEqual([{ cmd: "login", data: { version: expect.any(String) }, id: expect.any(String) }]);
    expect(statuses.length).toBeGreaterThanOrEqual(3);
    expect(statuses.at(-1)?.data).toMatchObject({
      ...{ epoch: expect.any(Number), internalJobs: {}, numQueuedJobs: 0 },
      activeJobs: { j1: { id: "j1", state: "active" } },
    });
  });

  test("sends a changed list once, however often it changed meanwhile", async () => {
    const at = await setUp();
    const { seen } = await at.listen({}, keyWith([]));
    for (const title of ["A", "B", "C"]) await at.api.createTag({ title });
    await at.turn();
    expect(names(seen).filter((cmd) => cmd === "update")).toHaveLength(1);
    const { tags } = dataOf(seen, "update") as { tags: Members[] };
    expect(tags.map(({ title }) => title)).toEqual(expect.arrayContaining(["A", "B", "C"]));
  });

  test("sends heartbeats and checks by category, which a login does not include", async () => {
    const at = await setUp();
    for (const id of ["ops", "rail"]) await at.api.createCategory({ id, title: id });
    const callers = [
      [keyWith([], { categories: ["ops"] }), 1],
      [keyWith([], { categories: ["rail"] }), 0],
    ] as const;
    const streams = await Promise.all(callers.map(([actor]) => at.listen({}, actor)));
    await at.api.createHeartbeat({ title: "Copy", every: 3600, category: "ops" });
    await at.api.createCheck({ title: "Shop", type: "http", url: "https://shop.example/", category: "ops" });
    await at.turn();
    const told = (list: string) =>
      streams.map(({ seen }) => seen.map(({ data }) => (data as Members)[list]).findLast((rows) => rows !== undefined));
    for (const list of ["heartbeats", "checks"])
      expect(told(list)).toEqual(
        callers.map(([, count]) => expect.toSatisfy((rows: unknown[]) => rows.length === count)),
      );
    const login = Object.keys(await at.cradle().loginBundle.collect("admin"));
    expect(["tags", "heartbeats", "checks"].map((list) => login.includes(list))).toEqual([true, false, false]);
  });

  test("sends receivers, routes and rotas, without the secrets of receivers", async () => {
    const at = await setUp();
    const { seen } = await at.listen({}, keyWith([]));
    const url = "https://hooks.slack.com/services/t0p-s3cret";
    await at.api.createReceiver({ id: "chat", title: "Chat", type: "slack", settings: { url } });
    await at.api.createRoute({ id: "all", title: "All", steps: [{ after: 0, to: ["chat"] }] });
    const layers = [{ users: ["ann"], turn: "day" as const, every: 1, start: "2027-01-04", handover: { at: "09:00" } }];
    await at.api.createRota({ id: "duty", title: "Duty", timezone: "UTC", layers });
    await at.turn();
    const told = Object.assign({}, ...seen.map(({ data }) => data)) as Record<string, Members[]>;
    for (const [list, id] of Object.entries({ receivers: "chat", routes: "all", rotas: "duty" }))
      expect(told[list]?.map((row) => row["id"])).toContain(id);
    expect(JSON.stringify(seen)).not.toContain("s3cret");
  });

  test("sends the global state to all users when it changes", async () => {
    const at = await setUp();
    const streams = [await at.listen(), await at.listen({}, keyWith([]))];
    await at.api.updateGlobalState({ alert_snooze: START + 600 });
    await at.turn();
    const [admin, other] = streams.map(({ seen }) => lastOf(seen, "update"));
    expect(admin).toMatchObject({ state: { alert_snooze: START + 600, scheduler: { enabled: true } } });
    expect(other).toEqual({ state: { scheduler: { enabled: true } } });
  });

  test("sends each row of the log to administrators, and tells all users that something was logged", async () => {
    const at = await setUp();
    const admin = await at.listen();
    const other = await at.listen({}, keyWith([]));
    await at.api.createTag({ title: "A" });
    await at.turn();
    expect(dataOf(admin.seen, "activity")).toMatchObject({ action: "tag_create" });
    expect(names(admin.seen)).toContain("cachebust");
    expect(names(other.seen).sort()).toEqual(["cachebust", "login", "update"]);
  });

  test("sends keys to administrators alone, without the keys themselves", async () => {
    const at = await setUp();
    const [admin, other] = [await at.listen(), await at.listen({}, keyWith([]))];
    const { api_key } = await at.api.createApiKey({ title: "Robot" });
    await at.turn();
    expect(dataOf(admin.seen, "single")).toMatchObject({ list: "api_keys", item: { id: api_key.id, key: "REDACTED" } });
    expect(names(other.seen)).not.toContain("single");
    await at.api.deleteApiKey({ id: api_key.id });
    await at.turn();
    expect(lastOf(admin.seen, "single")).toEqual({ list: "api_keys", item: { id: api_key.id }, delete: true });
  });

  test("sends tickets by category, and in full to viewers of a ticket", async () => {
    const at = await setUp();
    await at.api.createCategory({ id: "rail", title: "Rail" });
    const { ticket } = await at.api.createTicket({ subject: "Lamp", body: "dark", category: "rail" });
    const page = await at.listen({ loc: `#Ticket?id=${ticket.id}` }, keyWith([]));
    const elsewhere = await at.listen({ loc: "Ticket?id=other" }, keyWith([], { categories: ["rail"] }));
    const other = await at.listen({ loc: `Ticket?id=${ticket.id}` }, keyWith([], { categories: ["ops"] }));
    await at.api.updateTicket({ id: ticket.id, body: "still dark" });
    await at.turn();
    expect(dataOf(page.seen, "page_update")).toMatchObject({
      loc: `Ticket?id=${ticket.id}`,
      page_cmd: "ticket_updated",
      page_data: { username: "system", ticket: { body: "still dark" } },
    });
    expect(dataOf(elsewhere.seen, "single")).toMatchObject({ list: "tickets", item: { id: ticket.id, changes: 2 } });
    expect(dataOf(elsewhere.seen, "single")?.["item"]).not.toHaveProperty("body");
    expect(names(elsewhere.seen)).not.toContain("page_update");
    expect(names(other.seen)).not.toContain("single");
    await at.api.deleteTicket({ id: ticket.id });
    await at.turn();
    expect(lastOf(elsewhere.seen, "single")).toEqual({ list: "tickets", item: { id: ticket.id }, delete: true });
    expect(JSON.stringify(other.seen)).not.toContain(ticket.id);
  });

  test("tells users that a ticket is gone when it moves out of their reach", async () => {
    const at = await setUp();
    for (const id of ["rail", "ops"]) await at.api.createCategory({ id, title: id });
    const { ticket } = await at.api.createTicket({ subject: "Lamp", category: "rail" });
    const [rail, ops, all] = [
      await at.listen({}, keyWith([], { categories: ["rail"] })),
      await at.listen({}, keyWith([], { categories: ["ops"] })),
      await at.listen({}, keyWith([])),
    ];
    await at.api.updateTicket({ id: ticket.id, category: "ops" });
    await at.api.addTicketChange({ id: ticket.id, change: { type: "comment", body: "Yours" } });
    await at.turn();
    expect(lastOf(rail.seen, "single")).toEqual({ list: "tickets", item: { id: ticket.id }, delete: true });
    for (const { seen } of [ops, all])
      expect(lastOf(seen, "single")).toMatchObject({ list: "tickets", item: { category: "ops", changes: 3 } });
    expect(JSON.stringify(rail.seen)).not.toContain("Yours");
  });

  test("sends servers by group, and a removed server only to unlimited callers", async () => {
    const at = await setUp();
    const record = {
      hostname: "a",
      ip: "10.0.0.1",
      enabled: true,
      autoGroup: false,
      created: 1,
      modified: 1,
      info: {},
    };
    await at.storage.write((tx) => tx.collection(serverCollection).insert({ ...record, id: "s1", groups: ["web"] }));
    const admin = await at.listen();
    const web = await at.listen({}, keyWith([], { groups: ["web"] }));
    const db = await at.listen({}, keyWith([], { groups: ["db"] }));
    at.events.emit("server.updated", { id: "s1" } as never);
    await at.turn();
    expect(dataOf(web.seen, "single")).toMatchObject({ list: "servers", item: { id: "s1", online: false } });
    await at.storage.write((tx) => tx.collection(serverCollection).delete("s1"));
    at.events.emit("server.deleted", { id: "s1" } as never);
    await at.turn();
    expect(lastOf(admin.seen, "single")).toEqual({ list: "servers", item: { id: "s1" }, delete: true });
    expect(lastOf(web.seen, "update")?.["servers"]).toEqual({});
    expect(JSON.stringify(db.seen)).not.toContain("s1");
  });

  test("sends jobs by category and targets", async () => {
    const at = await setUp();
    const page = await at.listen({ loc: "Job?id=j1" });
    const rail = await at.listen({ loc: "Job?id=j1" }, keyWith([], { categories: ["rail"] }));
    await at.jobs.active("j1", { category: "ops" });
    at.events.emit("job.launched", { id: "j1", event: "e1" });
    await at.clock.advance(1.2);
    expect(dataOf(page.seen, "page_update")).toMatchObject({
      page_cmd: "job_updated",
      page_data: { job: { id: "j1" } },
    });
    expect(page.statuses.map(({ data }) => data["jobsChanged"])).toContain(true);
    await at.jobs.final("j1", { category: "ops", code: 0 });
    at.events.emit("job.completed", { id: "j1", event: "e1", code: 0 });
    await at.turn();
    expect(lastOf(page.seen, "page_update")).toMatchObject({ page_cmd: "job_completed" });
    expect(dataOf(page.seen, "single")).toMatchObject({ list: "jobs", item: { id: "j1", code: 0 } });
    expect(JSON.stringify([rail.seen, rail.statuses])).not.toContain("j1");
  });

  test("sends the page of a finished job the changes of update_job, as members of the data", async () => {
    const at = await setUp();
    const { seen } = await at.listen({ loc: "Job?id=j1" });
    await at.jobs.final("j1");
    await at.api.updateJob({ id: "j1", label: "Late" });
    await at.clock.advance(1.2);
    const changed = { id: "j1", label: "Late" };
    expect(lastOf(seen, "page_update")).toMatchObject({
      page_cmd: "job_updated",
      page_data: { ...changed, job: changed },
    });
  });

  test("sends the page of a finished workflow only sub-jobs and tickets within reach", async () => {
    const at = await setUp();
    const rail = await at.listen({ loc: "Job?id=flow" }, keyWith([], { categories: ["rail"] }));
    await at.jobs.final("jtheirs", { category: "ops" });
    await at.jobs.final("flow", {
      ...{ category: "rail", type: "workflow", tickets: ["tforeign"] },
      workflow: { jobs: { a: [{ id: "jtheirs", description: "Said by them" }] } },
    });
    at.events.emit("job.updated", { id: "flow" });
    await at.clock.advance(1.2);
    const { page_data } = dataOf(rail.seen, "page_update") as { page_data: Members };
    expect(page_data).toMatchObject({ job: { id: "flow", tickets: [], workflow: { jobs: {}, hidden: 1 } } });
    expect(JSON.stringify(rail.seen)).not.toMatch(/jtheirs|Said by them|tforeign/);
  });

  test("sends alerts on servers by group, and alerts on events by category", async () => {
    const at = await setUp();
    const common = { date: START, modified: START, active: true, tickets: [], exp: "", message: "", count: 1 };
    const invocation = { ...common, alert: "a1", notified: true, jobs: [] };
    await at.storage.write(async (tx) => {
      const all = tx.collection(invocationCollection);
      await all.insert({ ...invocation, id: "onServer", server: "s1", groups: ["web"] });
      const subject = { type: "event", id: "e1", title: "Night" } as const;
      await all.insert({ ...invocation, id: "onEvent", server: "", groups: [], subject, category: "ops" });
    });
    const callers = [
      [systemActor, ["event:e1-a1", "s1-a1"]],
      [keyWith([], { categories: ["ops"], groups: ["db"] }), ["event:e1-a1"]],
      [keyWith([], { categories: ["rail"], groups: ["web"] }), ["s1-a1"]],
    ] as const;
    const streams = await Promise.all(callers.map(([actor]) => at.listen({}, actor)));
    at.events.emit("alert.cleared", { id: "other", alert: "a1", server: "s1" });
    await at.turn();
    const told = streams.map(({ seen }) => Object.keys(lastOf(seen, "update")?.["activeAlerts"] ?? {}).sort());
    expect(told).toEqual(callers.map(([, keys]) => keys));
    const late = await Promise.all(callers.map(([actor]) => at.listen({ last_event_id: "1-2-3" }, actor)));
    expect(late.map(({ seen }) => Object.keys(lastOf(seen, "update")?.["activeAlerts"] ?? {}).sort())).toEqual(told);
  });

  test("says once per turn that notices changed, without their content", async () => {
    const at = await setUp();
    const { seen } = await at.listen({}, keyWith([]));
    const notice = { id: "no1", problem: "pg1", receiver: "ops", kind: "firing" };
    at.events.emit("problem.opened", { id: "pg1" });
    at.events.emit("notice.decided", notice);
    at.events.emit("notice.sent", notice);
    await at.turn();
    expect(seen.slice(1).map(({ cmd, data }) => [cmd, data])).toEqual([["notices", {}]]);
    at.events.emit("notice.failed", notice);
    await at.turn();
    at.events.emit("problem.closed", { id: "pg1" });
    await at.turn();
    expect(names(seen.slice(1))).toEqual(["notices", "notices", "notices"]);
  });

  test("sends notices only to their users", async () => {
    const at = await setUp();
    const user = (id: string): Actor => ({ ...keyWith([], { id }), kind: "user" });
    const [ann, joe] = [await at.listen({}, user("ann")), await at.listen({}, user("joe"))];
    const notice = { id: "ch1", users: ["ann"], message: "Look", sound: null, loc: "#Job?id=j1" };
    at.events.emit("channel.notified", notice);
    at.events.emit("notice.broadcast", { type: "warning", message: "All", username: "admin" });
    await at.turn();
    expect(ann.seen.filter(({ cmd }) => cmd === "notify").map(({ data }) => data)).toEqual([
      { type: "channel", channel: "ch1", message: "Look", sound: null, loc: "#Job?id=j1" },
      { type: "warning", message: "All" },
    ]);
    expect(joe.seen.filter(({ cmd }) => cmd === "notify")).toHaveLength(1);
  });
});

test("tells a client that reads late once that jobs came or went", async () => {
  const at = await setUp();
  const { updates } = (await at.execute({ operation: "stream_updates", actor: systemActor })) as UpdateStream;
  for (let second = 0; second < 6; second += 1) {
    if (second < 3) at.events.emit("job.deleted", { id: `j${second}` });
    await at.clock.advance(1);
  }
  await updates.next();
  const waiting: LiveUpdate[] = [(await updates.next()).value, (await updates.next()).value];
  expect(waiting.map(({ data }) => data["jobsChanged"])).toEqual([true, undefined]);
  await at.clock.advance(1);
  expect((await updates.next()).value.data["epoch"]).toBeGreaterThan(Number(waiting[1]?.data["epoch"]));
  await updates.return?.();
});

test("writes each update as an event named by its command, with its id", async () => {
  const at = await setUp();
  const { body, contentType } = await at.api.streamUpdates({});
  const first = await body[Symbol.asyncIterator]().next();
  expect(contentType).toBe("text/event-stream");
  expect(Buffer.from(first.value).toString()).toMatch(
    /^id: [0-9a-f]{12}-\d+\nevent: login\ndata: \{"version":"[^"]+"\}\n\n$/,
  );
});
