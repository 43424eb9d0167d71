import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { type Any, KEY, openBox } from "./boxes/transfer-box.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

const RUN = { enabled: true, triggers: [{ type: "manual", enabled: true }] };
const ticket = { type: "ticket", ticket_type: "issue", ticket_assignees: [], ticket_tags: [] };
const headers = { "x-api-key": KEY, "content-type": "application/json" };

/** A host with an event that fails when told to, one that follows it, and a server that reports. */
async function open(name: string) {
  const at = await openEngine(name, { administratorKey: KEY, config: { presets: true, tz: "UTC" } as Any });
  const { admin, agent, clock } = at;
  const until = untilOf(clock);
  const server = await agent.connect({ hostname: "s1.example.internal", id: "s1" });
  const event = (id: string, members: object = {}) =>
    admin.post("create_event", {
      ...{ id, title: id, category: "general", plugin: "shellplug", targets: ["s1"], algo: "random" },
      ...{ ...RUN, params: { script: "true" }, ...members },
    });
  const active = async (): Promise<Any[]> => (await admin.get("get_active_jobs/v1")).body.rows;
  return { ...at, ...{ until, server, event, active } };
}

describe.each(ONE_STORAGE)("the cause of a record, over %s", (name) => {
  test("names a user's request, the job it launched, its retry, its ticket and the job that follows", async () => {
    const { admin, send, server, event, active, until } = await open(name);
    expect((await event("next")).body).toMatchObject({ code: 0 });
    const { body: made } = await event("first", {
      tenant: "acme",
      limits: [{ enabled: true, type: "retry", amount: 1, duration: 0 }],
      actions: [
        { enabled: true, condition: "error", type: "run_event", event_id: "next" },
        { enabled: true, condition: "error", ...ticket },
      ],
    });
    expect(made).toMatchObject({ code: 0 });
    const { body: run } = await send("/api/app/run_event/v1", {
      method: "POST",
      headers: { ...headers, "x-request-id": "web-4711" },
      body: JSON.stringify({ id: "first", cause: { kind: "job", id: "forged" }, code_version: "forged" }),
    });
    const key = (await admin.get("get_api_keys/v1")).body.rows[0].id;
    const first = { kind: "api_key", id: key, request: "web-4711" };
    const end = async (id: string) => {
      await until(async () => (await active()).some((job: Any) => job.id === id && job.state === "active"));
      server.send("jobs", { [id]: { id, state: "complete", code: 1, description: "no" } });
    };
    await until(async () => (await active()).some((job: Any) => job.id === run.id));
    expect((await active()).find((job: Any) => job.id === run.id)).toMatchObject({ cause: first, tenant: "acme" });
    await end(run.id);
    await until(async () => (await active()).some((job: Any) => job.retry_prev === run.id));
    const again = (await active()).find((job: Any) => job.retry_prev === run.id);
    expect(again).toMatchObject({ cause: { kind: "job", id: run.id, request: "web-4711" }, tenant: "acme" });
    await end(again.id);
    await until(async () => (await active()).some((job: Any) => job.event === "next"));
    const next = (await active()).find((job: Any) => job.event === "next");
    expect(next.cause).toEqual({ kind: "job", id: again.id });
    expect(next).not.toHaveProperty("tenant");

    const rowsOf = async (search: string): Promise<Any[]> => (await admin.get(search)).body.rows;
    await until(async () => (await rowsOf("search_tickets/v1?query=tenant:acme")).length === 1);
    expect(await rowsOf("search_tickets/v1?query=tenant:acme")).toMatchObject([
      { cause: { kind: "job", id: again.id }, tenant: "acme" },
    ]);
    await until(async () => (await rowsOf("search_jobs/v1?query=tenant:acme&limit=10")).length === 2);
    expect(await rowsOf("search_jobs/v1?query=tenant:other")).toEqual([]);

    const { body: log } = await admin.get("search_activity/v1?query=*&limit=100");
    const causeOf = (action: string) => log.rows.find((row: Any) => row.action === action)?.cause;
    expect(causeOf("ticket_create")).toEqual({ kind: "job", id: again.id });
    expect(causeOf("event_create")).toEqual({ kind: "api_key", id: key });
    expect(log.rows.every((row: Any) => row.cause)).toBe(true);

    expect(again.code_version).toMatch(/^[0-9a-f]{12}$/);
    const { body: stored } = await admin.get("get_event/v1?id=first");
    expect(again.params_version).toBe(stored.event.params_version);
  });

  test("names the request of the host for in-process calls", async () => {
    const { engine, event, active, until } = await open(name);
    await event("first");
    const { id } = await engine.forRequest("order/17").api.runEvent({ id: "first" });
    await until(async () => (await active()).some((job: Any) => job.id === id));
    const job = (await active()).find((each: Any) => each.id === id);
    expect(job.cause).toEqual({ kind: "system", id: "system", request: "order/17" });
    expect(() => engine.forRequest("two words")).toThrow(TypeError);
    expect(() => engine.forRequest("x".repeat(129))).toThrow(TypeError);
  });

  test("has the tenant of the alert for an invocation and its ticket", async () => {
    const { admin, clock, next, server } = await open(name);
    const { body } = await admin.post("create_alert", {
      ...{ id: "hot", title: "Hot", expression: "temp > 5", message: "hot", samples: 1, tenant: "acme" },
      actions: [{ enabled: true, condition: "alert_new", ...ticket }],
    });
    expect(body).toMatchObject({ code: 0, alert: { tenant: "acme" } });
    await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
    const stored = next("server.minute");
    server.send("monitor", { version: "1.0", date: clock.now(), data: { temp: 9 } });
    await stored;
    const { rows } = (await admin.get("search_alerts/v1?query=tenant:acme")).body;
    expect(rows).toMatchObject([{ alert: "hot", cause: { kind: "server", id: "s1" }, tenant: "acme" }]);
    expect(rows[0].code_version).toMatch(/^[0-9a-f]{12}$/);
    await untilOf(clock)(async () => (await admin.get("search_tickets/v1?query=tenant:acme")).body.rows.length === 1);
    const [made] = (await admin.get("search_tickets/v1?query=tenant:acme")).body.rows;
    expect(made.cause).toEqual({ kind: "alert", id: rows[0].id });
  });

  test.each(["Acme", "a b", "x".repeat(65), 5])("refuses the tenant %j", async (tenant) => {
    const { admin, event } = await open(name);
    expect((await event("first", { tenant })).body).toMatchObject({ description: expect.stringContaining("tenant") });
    await event("second");
    for (const [operation, sent] of [
      ["update_event", { id: "second" }],
      ["create_alert", { title: "A", expression: "1", message: "m" }],
      ["create_ticket", { subject: "S" }],
    ] as const) {
      const { body } = await admin.post(operation, { ...sent, tenant });
      expect(body, operation).toMatchObject({ description: expect.stringContaining("tenant") });
    }
  });

  test("is part of a backup and its import", async () => {
    const from = await openBox(name);
    await from.post("create_event", {
      ...{ id: "e1", title: "E", category: "general", plugin: "shellplug", targets: ["s1"], algo: "random" },
      ...{ ...RUN, params: { script: "true" }, tenant: "acme" },
    });
    const server = await from.agent.connect({ hostname: "s1.example.internal", id: "s1" });
    const { body: run } = await from.post("run_event", { id: "e1" });
    // Ended by its agent: an aborted job would wait for the agent for a while of engine time.
    await from.until(async () => (await from.admin.get("get_active_jobs/v1")).body.rows[0]?.state === "active");
    server.send("jobs", { [run.id]: { id: run.id, state: "complete", code: 0 } });
    await from.until(async () => (await from.admin.get("search_jobs/v1?query=tenant:acme")).body.rows.length === 1);
    await from.post("create_ticket", { subject: "S", tenant: "acme" });
    const { bytes } = await from.fetchExport("lists=all&indexes=all&extras=all");
    const to = await openBox(name);
    const chained = gunzipSync(bytes).toString().replace('"action":"ticket_create"', '$&,"prev":"00","hash":"ff"');
    await to.importBytes(gzipSync(chained));
    const [job] = (await to.admin.get("search_jobs/v1?query=tenant:acme")).body.rows;
    const [original] = (await from.admin.get("search_jobs/v1?query=tenant:acme")).body.rows;
    for (const member of ["cause", "code_version", "params_version", "tenant"]) {
      expect(job[member], member).toBeDefined();
      expect(job[member], member).toEqual(original[member]);
    }
    expect((await to.admin.get("search_tickets/v1?query=tenant:acme")).body.rows).toMatchObject([
      { tenant: "acme", cause: { kind: "api_key" } },
    ]);
    const { rows } = (await to.admin.get("search_activity/v1?query=action:ticket_create")).body;
    expect(rows).toMatchObject([{ cause: { kind: "api_key" }, prev: "00", hash: "ff" }]);
  });
});
