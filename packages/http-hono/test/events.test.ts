import { type ConfigInput, createSignalbox } from "@signalbox/core";
import { fakeClock, scriptedAgent } from "@signalbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { createRouter } from "../src/index.ts";
import { ONE_STORAGE, openStorage } from "./open-storage.ts";
import { type Answer, read } from "./start.ts";
import { untilOf } from "./until.ts";

type Members = Record<string, unknown>;

/** 2027-01-15 08:00:30 UTC */
const START = 1_800_000_030;
const RUN = "/api/app/run_event/v1";

const BACKUP = {
  ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["main"], algo: "random" },
  ...{ params: { script: "echo" }, triggers: [{ type: "manual", enabled: true }] },
};

function formOf(fields: Members, files: Readonly<Record<string, string>>): FormData {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.append(field, String(value));
  for (const [file, text] of Object.entries(files)) body.append(file, new Blob([text]), file);
  return body;
}

async function open(name: string, config: ConfigInput = {}) {
  const clock = fakeClock(START);
  const agents = scriptedAgent();
  const options = {
    ...{ storage: await openStorage(name), clock, agents, secretKey: "a secret key for tests" },
    config: { tz: "UTC", job_universal_actions: { default: [], workflow: [] }, ...config },
    plugins: [quickKeys],
  };
  const engine = createSignalbox(options);
  const { administratorKey: key = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const server = await agents.connect({ hostname: "web01.example.com", id: "s1", initial: { groups: ["main"] } });
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => read(await app.request(path, init));
  const json = (body: unknown, headers: Members = { "x-api-key": key }): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/json", ...(headers as Record<string, string>) },
    body: JSON.stringify(body),
  });
  return {
    ...{ engine, clock, key, send, json, server },
    call: (operation: string, body: object = {}) => send(`/api/app/${operation}/v1`, json(body)),
    form: (
      path: string,
      fields: Members,
      files: Readonly<Record<string, string>> = {},
      headers = { "x-api-key": key },
    ) => send(path, { method: "POST", headers, body: formOf(fields, files) }),
    /** A job as stored, with its input. */
    async job(id: string): Promise<Members> {
      const { job } = await engine.api.getJob({ id });
      return job;
    },
    async event(members: Members = {}): Promise<string> {
      const { event } = await engine.api.createEvent({ ...BACKUP, ...members } as never);
      return event.id;
    },
  };
}

describe.each(ONE_STORAGE)("events over %s", (name) => {
  test("an event lives from create to delete, and its history shows it", async () => {
    const at = await open(name);
    const id = await at.event({ id: "nightly" });
    expect((await at.call("update_event", { id, title: "Second", revision: 1 })).body).toMatchObject({
      code: 0,
      event: { revision: 2 },
    });
    expect((await at.call("update_event", { id, title: "Third", revision: 1 })).body).toEqual({
      code: "event",
      description: "Event out of date: nightly (Revision mismatch: 1 != 2)",
    });
    const history = await at.send(`/api/app/get_event_history/v1?id=${id}&limit=5`, {
      headers: { "x-api-key": at.key },
    });
    expect(history.body).toMatchObject({ code: 0, list: { length: 2 } });
    expect(history.body.rows.map((row: Members) => [row["action"], (row["event"] as Members)["title"]])).toEqual([
      ["event_update", "Second"],
      ["event_create", "Backup"],
    ]);
    expect((await at.call("delete_event", { id, delete_jobs: true })).text).toBe('{"code":0}\n');
    expect((await at.send(`/api/app/get_event/v1?id=${id}`, { headers: { "x-api-key": at.key } })).status).toBe(404);
  });

  test("the next runs and the reasons of a minute are shown", async () => {
    const at = await open(name);
    const id = await at.event({ triggers: [{ type: "schedule", enabled: true, minutes: [1, 3] }] });
    const launches: unknown[] = [];
    at.engine.events.on("job.launched", (launch) => launches.push(launch));
    await at.clock.advance(60);
    await untilOf(at.clock)(() => launches.length > 0);
    const next = await at.call("preview_event", { id, limit: 2 });
    expect(next.body).toMatchObject({
      code: 0,
      list: { length: 2 },
      rows: [{ date: "2027-01-15T08:03:00.000Z" }, { date: "2027-01-15T09:01:00.000Z" }],
    });
    const explain = (minute: number) => at.call("explain_event_run", { id, minute: START - 30 + minute * 60 });
    const ran = await explain(1);
    expect(ran.body).toMatchObject({ code: 0, verdict: "ran", jobs: [{ now: START + 30 }] });
    expect((await explain(2)).body).toMatchObject({ verdict: "not_due", reasons: [{ code: "not_due" }] });
    expect((await explain(3)).body).toMatchObject({ verdict: "due", reasons: [] });
  });

  test("a run takes its members from query, body and json, each replacing the one before", async () => {
    const at = await open(name);
    const id = await at.event();
    const path = `${RUN}?id=${id}&params/a=query&params/b=query&params/c=query`;
    const body = { "params/b": "body", "params/c": "body", json: '{"params/c":"json"}' };
    const answer = await at.send(path, at.json(body));
    expect(answer.body).toEqual({ code: 0, id: expect.stringMatching(/^j/) });
    expect((await at.job(answer.body.id))["params"]).toEqual({ script: "echo", a: "query", b: "body", c: "json" });
    const read = await at.send(`${RUN}?title=Backup&params/a=get`, { headers: { "x-api-key": at.key } });
    expect(read.body).toMatchObject({ code: 0 });
  });

  test("files of a form are passed to the job, and can be fetched at their path", async () => {
    const at = await open(name);
    const id = await at.event();
    const json = JSON.stringify({ id, params: { a: 1 }, input: { data: { b: 2 } } });
    const answer = await at.form(RUN, { json }, { "one.txt": "first", "Two.csv": "a,b" });
    const job = await at.job(answer.body.id);
    expect(job["params"]).toEqual({ script: "echo", a: 1 });
    const { data, files } = job["input"] as { data: unknown; files: { path: string; filename: string }[] };
    expect(data).toEqual({ b: 2 });
    expect(files.map(({ filename }) => filename)).toEqual(["one.txt", "Two.csv"]);
    expect((await at.send(`/${files[0]?.path}`)).text).toBe("first");
    expect((await at.form(RUN, { id }, { "empty.txt": "" })).body).toMatchObject({
      code: "api",
      description: "File 'empty.txt' is missing required size property, or is zero bytes.",
    });
  });

  test("the body of a foreign hook is kept whole", async () => {
    const at = await open(name);
    const id = await at.event();
    const answer = await at.send(
      `${RUN}?id=${id}&post_data=1`,
      at.json({ id: "other", params: { script: "no" }, action: "opened" }),
    );
    const job = await at.job(answer.body.id);
    expect(job).toMatchObject({ event: id, params: { script: "echo" } });
    expect(job["post_data"]).toEqual({ id: "other", params: { script: "no" }, action: "opened" });
  });

  test("a link launches without credentials, and its form and its stream answer", async () => {
    const at = await open(name);
    const fields = [{ id: "who", type: "text", title: "Who", required: true }];
    const id = await at.event({
      fields,
      params: { script: "echo", who: "nobody" },
      triggers: [{ type: "magic", enabled: true, key: "open-sesame", body: "Hello" }],
    });
    const path = "/api/app/magic/v1/open-sesame";
    const launched = await at.form(`${path}?who=query`, { who: "form" }, { "a.txt": "x" }, {} as never);
    expect(launched.body).toEqual({
      code: 0,
      description: "The job was launched.",
      id: expect.any(String),
      stream: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const job = await at.job(launched.body.id);
    expect(job).toMatchObject({
      id: launched.body.id,
      event: id,
      source: "magic",
      params: { script: "echo", who: "query" },
    });
    expect(job["input"]).toMatchObject({ files: [{ filename: "a.txt", magic: true }] });
    const page = await at.send("/api/app/form/v1/open-sesame");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text).toContain('name="who" required');
    expect((await at.send("/api/app/form_config/v1/open-sesame")).text).toMatch(
      /^app\.receiveConfig\(\{"Page":\[\{"ID":"Form"/,
    );
    expect((await at.send(path, { method: "POST" })).body).toMatchObject({ code: 0 });
    expect((await at.send("/api/app/magic/v1/wrong")).body).toEqual({
      code: "api",
      description: "Authentication failed.",
    });
  });

  test("a link with wait at its end answers the final job", async () => {
    const at = await open(name);
    await at.event({ triggers: [{ type: "magic", enabled: true, key: "open-sesame" }] });
    const waiting = at.send("/api/app/magic/v1/open-sesame/wait?who=me");
    const { job } = (await at.server.message("launch_job")).data as { job: Members };
    const ended = new Promise((resolve) => at.engine.events.on("job.completed", resolve));
    at.server.send("jobs", { [String(job["id"])]: { state: "complete", complete: true, code: 0 } });
    await ended;
    expect((await waiting).body).toMatchObject({ code: 0, job: { id: job["id"], code: 0, params: { who: "me" } } });
  });
});

test("there is no operation that changes several events", async () => {
  const at = await open("memory");
  expect((await at.call("multi_update_event", { items: [] })).body).toMatchObject({
    description: "Unsupported API: app/multi_update_event",
  });
});
