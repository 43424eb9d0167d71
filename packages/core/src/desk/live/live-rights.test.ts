import { describe, expect, test } from "vitest";
import { dataOf, lastId, lastOf, type Members, names, setUp } from "../../../test/desk/live-setup.ts";
import { refusalOf } from "../../../test/engine.ts";
import { systemActor } from "../../kernel/calls/context.ts";
import type { LiveUpdate } from "./model.ts";
import type { UpdateStream } from "./operations.ts";

describe("a client that reconnects", () => {
  test("gets missed changes once, in their present state", async () => {
    const at = await setUp();
    const first = await at.listen();
    await at.api.createTag({ title: "Before" });
    await at.turn();
    const id = lastId(first.seen, first.statuses);
    await first.leave();
    await at.api.createTag({ title: "Missed" });
    await at.api.createCategory({ id: "missed", title: "Missed" });
    await at.turn();
    const back = await at.listen({ last_event_id: id });
    expect(dataOf(back.seen, "login")).toEqual({ version: expect.any(String) });
    const lists = back.seen.filter(({ cmd }) => cmd === "update").map(({ data }) => Object.keys(data));
    expect(lists).toEqual(expect.arrayContaining([["tags"], ["categories"]]));
    expect(lists).toHaveLength(2);
    await at.api.createTag({ title: "After" });
    await at.turn();
    expect(back.seen.filter(({ data }) => Object.hasOwn(data, "tags"))).toHaveLength(2);
  });

  test.each(["000000000000-1", "nonsense", "1-2-3", "é"])("with the unknown id %s gets everything", async (id) => {
    const at = await setUp();
    const { seen } = await at.listen({ last_event_id: id });
    expect(names(seen)).toEqual(["login", "update"]);
    expect(dataOf(seen, "login")).toMatchObject({ stale: true });
    const members = ["epoch", "tags", "events", "categories", "servers", "activeJobs", "activeAlerts", "state"];
    expect(Object.keys(seen[1]?.data ?? {})).toEqual(expect.arrayContaining(members));
    expect([seen[0]?.id, seen[1]?.id]).toEqual([undefined, expect.any(String)]);
  });

  test("is told to reload when jobs came or went, which only the status of that second reported", async () => {
    const at = await setUp();
    const first = await at.listen();
    const id = lastId(first.seen);
    at.events.emit("job.deleted", { id: "j1" } as never);
    await at.clock.advance(3);
    expect(first.statuses.filter(({ data }) => data["jobsChanged"])).toHaveLength(1);
    expect(dataOf((await at.listen({ last_event_id: id })).seen, "login")).toMatchObject({ stale: true });
  });

  test("after more changes than are kept gets everything", async () => {
    const at = await setUp();
    const first = await at.listen();
    const id = lastId(first.seen);
    await first.leave();
    for (let n = 0; n < 1001; n++)
      at.events.emit("ticket.updated", { id: `t${n}`, num: n, category: "", by: "a", keys: [] });
    await at.turn();
    expect(names((await at.listen({ last_event_id: id })).seen)).toEqual(["login", "update"]);
  });

  test("may name the id in the header of event streams", async () => {
    const at = await setUp();
    const client = { ips: [], ip: "", headers: { "last-event-id": "other-1" }, userAgent: "", baseUrl: "" };
    const call = { operation: "stream_updates", actor: systemActor };
    const { updates } = (await at.execute({
      ...call,
      client: { ...client, method: "GET", versioned: true, pathSuffix: "" },
    })) as UpdateStream;
    expect([(await updates.next()).value.cmd, (await updates.next()).value.cmd]).toEqual(["login", "update"]);
  });
});

describe("rights of listeners", () => {
  test("follow changes: a key that is narrowed gets its lists again", async () => {
    const at = await setUp();
    for (const id of ["rail", "ops"]) await at.api.createCategory({ id, title: id });
    const { api_key, plain_key } = await at.api.createApiKey({ title: "Robot" });
    const { updates } = await at.as({ apiKey: plain_key }).streamUpdates({});
    const seen: LiveUpdate[] = [];
    const reading = (async () => {
      for await (const update of updates) seen.push(update);
    })();
    await at.clock.advance(1);
    await at.api.updateApiKey({ id: api_key.id, categories: ["rail"] });
    await at.turn();
    const { categories } = lastOf(seen, "update") as { categories: Members[] };
    expect(categories.map(({ id }) => id)).toEqual(["rail"]);
    await at.api.updateApiKey({ id: api_key.id, active: false });
    await at.turn();
    await reading;
    expect(seen.at(-1)?.cmd).toBe("logout");
  });

  test("are sent again also when a status comes between their change and its report", async () => {
    const at = await setUp();
    for (const id of ["rail", "ops"]) await at.api.createCategory({ id, title: id });
    const { api_key, plain_key } = await at.api.createApiKey({ title: "Robot" });
    const { updates } = await at.as({ apiKey: plain_key }).streamUpdates({});
    const seen: LiveUpdate[] = [];
    void (async () => {
      for await (const update of updates) seen.push(update);
    })();
    await at.clock.advance(1);
    while (seen.at(-1)?.cmd !== "status") await at.clock.advance(0.05);
    await at.clock.advance(0.95);
    await at.api.updateApiKey({ id: api_key.id, categories: ["rail"] });
    await at.turn();
    const { categories } = lastOf(seen, "update") as { categories: Members[] };
    expect(categories.map(({ id }) => id)).toEqual(["rail"]);
  });

  test("end with the session", async () => {
    const at = await setUp();
    const user = { username: "ann", full_name: "Ann", email: "a@example.com", password: "secret" };
    await at.api.userAdminCreate(user);
    const login = await at.api.userLogin({ username: "ann", password: "secret" });
    const { session_id: sessionId } = login as unknown as { session_id: string };
    const { updates } = await at.as({ sessionId }).streamUpdates({});
    const seen: LiveUpdate[] = [];
    const reading = (async () => {
      for await (const update of updates) seen.push(update);
    })();
    await at.turn();
    await at.api.userAdminUpdate({ username: "ann", full_name: "Ann B." });
    await at.turn();
    expect(dataOf(seen, "self_update")).toMatchObject({ user: { username: "ann", full_name: "Ann B." } });
    expect(JSON.stringify(seen)).not.toContain("scrypt");
    await at.api.adminLogoutAll({ username: "ann" });
    await at.turn();
    await reading;
    expect(seen.at(-1)?.cmd).toBe("logout");
  });

  test("are required to open a stream", async () => {
    const at = await setUp();
    expect(await refusalOf(at.as({}).streamUpdates({}))).toMatchObject({ code: "session" });
  });
});

describe("the end of a stream", () => {
  test("comes when its loop is left, when the caller disconnects, and when the engine stops", async () => {
    const at = await setUp();
    const gone = new AbortController();
    const [left, aborted, rest] = [await at.listen(), await at.listen({}, systemActor, gone.signal), await at.listen()];
    await left.leave();
    gone.abort();
    await at.turn();
    expect([left.state.closed, aborted.state.closed, rest.state.closed]).toEqual([true, true, false]);
    await at.stop();
    await rest.reading;
    expect(rest.state.closed).toBe(true);
  });

  test("comes for a client that does not read while a megabyte is waiting", async () => {
    const at = await setUp();
    const { updates } = await at.api.streamUpdates({});
    const notes = "x".repeat(300_000);
    for (let n = 0; n < 6; n++) {
      await at.api.createTag({ title: `T${n}`, notes });
      await at.turn();
    }
    expect(await updates.next()).toEqual({ done: true, value: undefined });
  });

  test("frees its place even if nothing was read before", async () => {
    const at = await setUp();
    const { body } = await at.api.streamUpdates({});
    const iterator = body[Symbol.asyncIterator]();
    await iterator.return?.();
    expect((await iterator.next()).done).toBe(true);
  });
});
