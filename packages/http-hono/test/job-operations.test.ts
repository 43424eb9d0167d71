import { memoryBlobStore } from "@signalbox/core";
import type { ScriptedServer } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { type Answer, read } from "./start.ts";
import { untilOf } from "./until.ts";

type Members = Readonly<Record<string, unknown>>;
/** Operation, input, and the answer: status, code, description. */
type Refusal = readonly [operation: string, input: Members, status: number, code: string, description: string];

const config = { tz: "UTC", job_universal_actions: { default: [], workflow: [] } };
const eventOf = (members: Members = {}) => ({
  ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["main"], algo: "random" },
  ...{ params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
  ...members,
});
const RIGHTS = [
  ...["create_events", "edit_events", "delete_events", "run_jobs", "abort_jobs", "delete_jobs", "tag_jobs"],
  "edit_tickets",
];
const sent = (server: ScriptedServer): string[] =>
  server.received.filter(({ cmd }) => cmd === "launch_job").map(({ data }) => (data as { job: { id: string } }).job.id);

type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Launches jobs in every state that matters to operations; returns their ids. */
async function launchInEveryState({ admin, clock, engine }: Engine, server: ScriptedServer) {
  const until = untilOf(clock);
  const stateOf = async (id: string) => (await engine.api.getJob({ id })).job;
  const run = async (members: Members = {}) =>
    (await admin.post("run_event", { id: "backup", ...members })).body.id as string;
  const done = await run();
  await until(() => sent(server).includes(done));
  server.send("job_log", { id: done, text: "one\ntwo\n" });
  server.send("jobs", { [done]: { state: "complete", complete: true, code: 0 } });
  await until(async () => (await stateOf(done)).final === true);
  const active = await run();
  await until(() => sent(server).includes(active));
  const queued = await run();
  await until(async () => (await stateOf(queued)).state === "queued");
  const delayed = await run({ state: "start_delay", until: clock.now() + 3600 });
  return { done, active, queued, delayed };
}

/** An engine over a storage, a server, and jobs in every state that matters to operations. */
async function open(name: string) {
  const at = await openEngine(name, { blobs: memoryBlobStore(), config });
  const { admin, agent, clock, engine, send } = at;
  const server = await agent.connect({ hostname: "s1.example.internal", id: "s1", initial: { groups: ["main"] } });
  await admin.post("create_category", { id: "other", title: "Other", enabled: true });
  await admin.post("create_event", eventOf({ id: "backup", overlap: "queue" }));
  const jobs = await launchInEveryState(at, server);
  const call = (key: string | undefined, operation: string, input: Members): Promise<Answer> =>
    send(`/api/app/${operation}/v1`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key === undefined ? {} : { "x-api-key": key }) },
      body: JSON.stringify(input),
    });
  const keyWith = async (members: Members): Promise<string> =>
    (await admin.post("create_api_key", { title: "Some key", ...members })).body.plain_key;
  const all = Object.fromEntries(RIGHTS.map((right) => [right, true]));
  return {
    ...{ ...jobs, admin, call, clock, engine, keyWith, send, server, until: untilOf(clock) },
    stranger: () => keyWith({ privileges: all, categories: ["other"] }),
    outsider: () => keyWith({ privileges: all, groups: ["elsewhere"] }),
    /** Answers to the calls, in the form of the table. */
    async answers(key: string | undefined, rows: readonly Refusal[]): Promise<Refusal[]> {
      const all: Refusal[] = [];
      for (const [operation, input] of rows) {
        const { status, body, text } = await call(key, operation, input);
        all.push([operation, input, status, body?.code, body?.description ?? text]);
      }
      return all;
    },
  };
}

type World = Awaited<ReturnType<typeof open>>;

/** Operations that need no privilege, with their input. */
const readsOf = ({ done, active }: World): readonly (readonly [string, Members])[] => [
  ["get_event", { id: "backup" }],
  ["get_event_history", { id: "backup" }],
  ["preview_event", { id: "backup" }],
  ["explain_event_run", { id: "backup", minute: 1_800_000_000 }],
  ["get_job", { id: done }],
  ["get_job", { id: active }],
  ["get_job_log", { id: done }],
  ["tail_live_job_log", { id: active }],
  ["stream_job", { id: active }],
];

/** Operations with their privilege, on something that the caller could access with it. */
const writesOf = ({ done, active, delayed }: World): readonly (readonly [string, Members, string])[] => [
  ["create_event", eventOf(), "create_events"],
  ["update_event", { id: "backup", notes: "x" }, "edit_events"],
  ["delete_event", { id: "backup" }, "delete_events"],
  ["run_event", { id: "backup" }, "run_jobs"],
  ["abort_job", { id: active }, "abort_jobs"],
  ["resume_job", { id: active }, "run_jobs"],
  ["delete_job", { id: done }, "delete_jobs"],
  ["manage_job_tags", { id: done, tags: [] }, "tag_jobs"],
  ["manage_job_tickets", { id: done, tickets: [] }, "edit_tickets"],
  ["flush_event_queue", { id: "backup" }, "abort_jobs"],
  ["job_skip_delay", { id: delayed }, "run_jobs"],
  ["delete_job_file", { id: done, path: "files/x" }, "delete_jobs"],
];

describe.each(ONE_STORAGE)("operations of events and jobs over %s", (name) => {
  test("require a caller, or a token", async () => {
    const at = await open(name);
    const calls = [...readsOf(at), ...writesOf(at), ["update_job", { id: at.done }], ["get_events", {}]] as const;
    const further = ["get_active_jobs", "get_active_job_summary", "get_workflow_job_summary", "search_jobs"] as const;
    const rest = [...further, "upload_job_input_files"].map((each) => [each, {}] as const);
    const ids = [
      ["get_jobs", { ids: [at.done] }],
      ["job_toggle_notify_me", { id: at.active }],
      ["bulk_search_delete_jobs", { query: "*" }],
    ] as const;
    const rows = [...calls, ...rest, ...ids].map(
      ([operation, input]): Refusal => [operation, input, 403, "session", "No Session ID or API Key could be found"],
    );
    expect(await at.answers(undefined, rows)).toEqual(rows);
  });

  test("refuse writers without the privilege by its name", async () => {
    const at = await open(name);
    const key = await at.keyWith({ privileges: {} });
    const text = (right: string) =>
      `You do not have the '${at.engine.privileges.get(right)}' privilege required to perform this action.`;
    const rows = [
      ...writesOf(at),
      ["bulk_search_delete_jobs", { query: "*" }, "delete_jobs"],
      ["upload_job_input_files", {}, "run_jobs"],
      ["update_job", { id: at.done, label: "x" }, "admin"],
    ].map(([operation, input, right]): Refusal => {
      const description = right === "admin" ? text("admin") : text(String(right));
      return [String(operation), input as Members, 403, "access", description];
    });
    expect(await at.answers(key, rows)).toEqual(rows);
  });

  test("refuse callers of another category and of other groups", async () => {
    const at = await open(name);
    const calls = [...readsOf(at), ...writesOf(at)];
    for (const [key, description] of [
      [await at.stranger(), "You do not have the required account privileges to access category ID general."],
      [await at.outsider(), "You do not have the required account privileges to access targets: main."],
    ] as const) {
      const rows = calls.map(([operation, input]): Refusal => [operation, input, 403, "access", description]);
      expect(await at.answers(key, rows)).toEqual(rows);
    }
  });

  test("show limited callers lists without foreign records", async () => {
    const at = await open(name);
    const seen = async (key: string) => {
      const lists = ["get_events", "get_active_jobs", "search_jobs"];
      const counts = await Promise.all(lists.map(async (each) => (await at.call(key, each, {})).body.list.length));
      const summary = (await at.call(key, "get_active_job_summary", {})).body.events;
      const nodes = (await at.call(key, "get_workflow_job_summary", { "workflow.job": "j" })).body.nodes;
      const { jobs } = (await at.call(key, "get_jobs", { ids: [at.done] })).body;
      return [...counts, Object.keys(summary), nodes, jobs[0].id ?? jobs[0].err];
    };
    const missing = `Failed to locate job: ${at.done}`;
    expect(await seen(await at.keyWith({ privileges: {} }))).toEqual([1, 3, 1, ["backup"], {}, at.done]);
    for (const key of [await at.stranger(), await at.outsider()])
      expect(await seen(key)).toEqual([0, 0, 0, [], {}, missing]);
    const bulk = await at.call(await at.stranger(), "bulk_search_delete_jobs", { query: "*" });
    expect([bulk.status, bulk.body.code]).toEqual([403, "access"]);
  });

  test("refuse unknown records, wrong states and malformed input with the contract's messages", async () => {
    const at = await open(name);
    const { done, active, queued } = at;
    const gone = "Job not found or is no longer active";
    const rows: Refusal[] = [
      ["get_event", {}, 400, "api", "Missing parameter: id"],
      ["get_event", { id: "a b" }, 400, "api", "Malformed parameter: id"],
      ["get_event", { id: "nope" }, 404, "notfound", "Failed to locate event: nope"],
      ["get_event_history", { id: "nope" }, 404, "event", "Event not found: nope"],
      ["create_event", eventOf({ id: "backup" }), 409, "event", "That Event ID already exists: backup"],
      ["create_event", eventOf({ category: "nope" }), 400, "api", "Category not found: nope"],
      ["create_event", eventOf({ enabled: undefined }), 400, "api", "Missing parameter: enabled"],
      ["create_event", eventOf({ algo: undefined }), 400, "api", "Event has no algo specified."],
      ["update_event", { id: "nope" }, 404, "event", "Event not found: nope"],
      ["delete_event", { id: "nope" }, 404, "event", "Event not found: nope"],
      ["delete_event", { id: "backup" }, 409, "event", "Failed to delete event: 3 active jobs found"],
      ["run_event", {}, 400, "event", "Failed to locate event: No criteria specified"],
      ["run_event", { id: "nope" }, 404, "event", "Event not found: nope"],
      ["get_job", { id: "jnope" }, 404, "notfound", "Failed to load job details: jnope: Error: Item not found"],
      ["get_jobs", {}, 400, "job", "Missing or malformed ids parameter."],
      ["search_jobs", { select: 5 }, 400, "api", "Select parameter must be an array."],
      ["get_job_log", { id: active }, 404, "notfound", `Failed to load job details: ${active}: Error: Item not found`],
      ["tail_live_job_log", { id: active, bytes: 0 }, 400, "api", "Requested byte count out of range (1 - 1048576)"],
      ["abort_job", { id: done }, 409, "job", `${gone}: ${done}`],
      ["abort_job", { id: "jnope" }, 404, "job", `${gone}: jnope`],
      ["resume_job", { id: done }, 409, "job", `${gone}: ${done}`],
      ["resume_job", { id: "jnope" }, 404, "job", `${gone}: jnope`],
      ["resume_job", { id: active }, 409, "job", `Job is not currently suspended: ${active}`],
      ["delete_job", { id: active }, 409, "job", `Cannot delete a job that is still active: ${active}`],
      ["manage_job_tags", { id: done, tags: ["nope"] }, 404, "job", "Unknown tag: nope"],
      ["manage_job_tags", { id: done, tags: [], label: "x" }, 400, "job", "Too many properties in params"],
      ["manage_job_tags", { id: active, tags: [] }, 409, "job", "Cannot update tags of running job."],
      ["manage_job_tickets", { id: active, tickets: [] }, 409, "job", "Cannot update tickets of running job."],
      ["flush_event_queue", { id: "nope" }, 404, "event", "Event not found: nope"],
      ["job_skip_delay", { id: "jnope" }, 404, "job", "Job not found: jnope"],
      ["job_skip_delay", { id: queued }, 409, "job", `Job is not in a delay state: ${queued}`],
      ["bulk_search_delete_jobs", {}, 400, "api", "Missing parameter: query"],
      ["bulk_search_delete_jobs", { query: "" }, 400, "api", "Missing parameter: query"],
      ["bulk_search_delete_jobs", { query: "nope:1" }, 400, "db", "Failed DB search: Not understood: nope 1"],
      ["upload_job_input_files", {}, 400, "file", "No file upload data found in request."],
      ["delete_job_file", { id: done, path: "files/x.txt" }, 404, "job", "Job file not found: x.txt"],
      ["fire_job_web_hook", { job: active, server: "s1", web_hook: "nope", text: "" }, 400, "api", "Invalid."],
      ["multi_update_event", {}, 404, "api", "Unsupported API: app/multi_update_event"],
    ];
    const key = await at.keyWith({ privileges: { admin: true } });
    expect(await at.answers(key, rows)).toEqual(rows);
  });

  test("refuse tokens in plain text at links, and for agents with their own code", async () => {
    const at = await open(name);
    const { token } = (await at.call(await at.keyWith({ privileges: {} }), "get_job", { id: at.done })).body;
    const text = async (path: string) => {
      const { status, text: body } = await at.send(`/api/app/${path}`, {});
      return [status, body];
    };
    for (const operation of ["view_job_log", "download_job_log"]) {
      expect(await text(`${operation}/v1?id=${at.done}&t=${token}`)).toEqual([200, "one\ntwo\n"]);
      expect(await text(`${operation}/v1?id=${at.done}&t=wrong`)).toEqual([403, "(Authentication failed.)\n"]);
    }
    const rows: Refusal[] = [
      ["finish_job", { id: at.active, auth: "wrong", job: {} }, 403, "auth", "Authentication failure"],
      ["magic", {}, 400, "api", "Malformed URL."],
      ["form", {}, 400, "api", "Malformed URL."],
      ["form_config", {}, 400, "api", "Malformed URL."],
    ];
    expect(await at.answers(undefined, rows)).toEqual(rows);
    const form = new FormData();
    for (const [field, value] of Object.entries({ id: at.active, auth: "wrong" })) form.set(field, value);
    form.set("file1", new File(["x"], "x.txt"));
    const upload = await at.send("/api/app/upload_job_file/v1", { method: "POST", body: form });
    expect([upload.status, upload.body]).toEqual([403, { code: "auth", description: "Authentication failure" }]);
  });

  test("read and change within the rights of their callers: logs, tails, streams, files and mail", async () => {
    const at = await open(name);
    const key = await at.keyWith({ privileges: { admin: true } });
    const log = await at.call(key, "get_job_log", { id: at.done });
    expect([log.status, log.headers.get("content-encoding")]).toEqual([200, "gzip"]);
    at.server.send("job_log", { id: at.active, text: "first line\nsecond line\n" });
    await at.until(async () => (await at.call(key, "tail_live_job_log", { id: at.active })).body.text.length > 12);
    const tail = await at.call(key, "tail_live_job_log", { id: at.active, bytes: 14 });
    expect(tail.body).toEqual({ code: 0, text: "second line\n", end: 23 });
    expect((await at.call(key, "get_active_jobs", { state: "queued" })).body).toMatchObject({
      rows: [{ id: at.queued, position: 1 }],
      list: { length: 1 },
    });
    expect((await at.call(key, "get_jobs", { ids: `${at.done},${at.active}` })).body.jobs).toMatchObject([
      { id: at.done },
      { id: at.active },
    ]);
    expect((await at.call(key, "get_event", { id: "backup" })).body).toMatchObject({
      jobs: [{ id: at.active }],
      queued: 1,
    });
    const notify = await at.call(key, "job_toggle_notify_me", { id: at.active });
    expect([notify.status, notify.body]).toEqual([400, { code: "job", description: "User has no email address set." }]);
    const streamed = read(await streamOf(at, key));
    at.server.send("jobs", { [at.active]: { state: "complete", complete: true, code: 0, data: { n: 1 } } });
    await at.until(async () => (await at.engine.api.getJob({ id: at.active })).job.final === true);
    await at.clock.advance(3);
    const { text } = await streamed;
    expect(text).toContain("event: start\n");
    expect(text).toContain('"data":{"n":1}');
    expect(text).toMatch(/event: end\ndata: \{\}\n\n$/);
  });
});

const streamOf = async ({ engine, active }: World, key: string): Promise<Response> => {
  const { createRouter } = await import("../src/index.ts");
  return createRouter(engine).request(`/api/app/stream_job/v1?id=${active}`, { headers: { "x-api-key": key } });
};
