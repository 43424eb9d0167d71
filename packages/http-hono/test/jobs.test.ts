import { createSignalbox, memoryBlobStore } from "@signalbox/core";
import { systemClock } from "@signalbox/core/adapter";
import type { Storage } from "@signalbox/core/storage";
import { fakeClock, type ScriptedServer, scriptedAgent } from "@signalbox/core/testing";
import { pgStorage } from "@signalbox/storage-pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { serverPlaceCollection } from "../../core/src/work/jobs/collection.ts";
import { quickKeys } from "../../core/test/engine.ts";
import { lendDatabase } from "../../storage-pg/test/lent-database.ts";
import { createRouter } from "../src/index.ts";
import { openStorage, STORAGES } from "./open-storage.ts";
import { read } from "./start.ts";
import { untilOf } from "./until.ts";

const secretKey = "a secret key for tests";
const config = { tz: "UTC", job_universal_actions: { default: [], workflow: [] } };
const eventOf = (members: object = {}) => ({
  ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["s1"], algo: "random" },
  ...{ params: { script: "echo hello" }, triggers: [{ type: "manual" as const, enabled: true }] },
  ...members,
});
const done = (members: object = {}) => ({ state: "complete", complete: true, code: 0, ...members });
const jobOf = (server: ScriptedServer): string[] =>
  server.received.filter(({ cmd }) => cmd === "launch_job").map(({ data }) => (data as { job: { id: string } }).job.id);

/** An engine over a storage, with a server that runs jobs when told to. */
async function open(name: string) {
  const clock = fakeClock(1_800_000_000);
  const agent = scriptedAgent();
  const blobs = memoryBlobStore({ clock });
  const storage = await openStorage(name);
  const engine = createSignalbox({ storage, clock, agents: agent, blobs, secretKey, config, plugins: [quickKeys] });
  const { administratorKey = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const headers = { "x-api-key": administratorKey };
  const send = async (path: string, init: RequestInit = {}) =>
    read(await app.request(`/api/app/${path}`, { ...init, headers: { ...headers, ...init.headers } }));
  const post = (path: string, body: object) =>
    send(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  const server = await agent.connect({ hostname: "s1.example.internal", id: "s1" });
  const until = untilOf(clock);
  const job = async (id: string) => (await send(`get_job/v1?id=${id}`)).body.job;
  return {
    ...{ app, blobs, clock, engine, job, post, send, server, until },
    async finish(id: string, members: object = {}) {
      await until(() => jobOf(server).includes(id));
      server.send("jobs", { [id]: done(members) });
      await until(async () => (await job(id)).final === true);
    },
  };
}

describe.each(STORAGES)("jobs over %s", (name) => {
  test("a job is suspended, resumed, found, tagged, linked, changed and deleted with its files", async () => {
    const at = await open(name);
    await at.post("create_tag/v1", { id: "nightly", title: "Nightly" });
    const suspend = { enabled: true, condition: "start", type: "suspend" };
    const { event } = (await at.post("create_event/v1", eventOf({ actions: [suspend] }))).body;
    const form = new FormData();
    form.set("a", new File(["text"], "In Put.txt"));
    const { files } = (await at.send("upload_job_input_files/v1", { method: "POST", body: form })).body;
    const { id } = (await at.post("run_event/v1", { id: event.id, input: { files }, idempotency_key: "k" })).body;
    expect((await at.post("run_event/v1", { id: event.id, idempotency_key: "k" })).body.id).toBe(id);
    await at.until(async () => (await at.job(id)).suspended === true);
    expect((await at.send("get_active_job_summary/v1?state=starting")).body.events[event.id].states).toEqual({
      starting: 1,
    });
    await at.until(async () => (await at.post("resume_job/v1", { id })).status === 200);
    await at.finish(id, { data: { rows: 3 } });
    const found = await at.send(`search_jobs/v1?query=event:${event.id}+tags:_success+date:today&verbose=1`);
    expect(found.body).toMatchObject({ code: 0, rows: [{ id, data: { rows: 3 } }], list: { length: 1 } });
    expect((await at.post("manage_job_tags/v1", { id, tags: ["nightly"] })).text).toBe('{"code":0}\n');
    expect((await at.post("manage_job_tickets/v1", { id, tickets: ["t1"] })).status).toBe(200);
    expect((await at.post("update_job/v1", { id, label: "L" })).status).toBe(200);
    expect(await at.job(id)).toMatchObject({ tags: ["nightly", "_success", "_last", "_files"], label: "L" });
    expect((await at.send("search_jobs/v1?query=tickets:t1+tags:nightly&select=id,label")).body.rows).toEqual([
      { id, label: "L" },
    ]);
    expect(await at.blobs.head(files[0].path)).toBeDefined();
    expect((await at.post("delete_job/v1", { id })).status).toBe(200);
    await at.until(async () => (await at.blobs.head(files[0].path)) === undefined);
    expect((await at.send(`get_job/v1?id=${id}`)).status).toBe(404);
  });

  test("a line of jobs is flushed, a delay is skipped, and jobs are deleted in bulk", async () => {
    const at = await open(name);
    const { event } = (await at.post("create_event/v1", eventOf({ overlap: "queue" }))).body;
    const run = async (members: object = {}) => (await at.post("run_event/v1", { id: event.id, ...members })).body.id;
    const [first, second] = [await run(), await run()];
    await at.until(async () => (await at.job(second)).state === "queued");
    expect((await at.post("flush_event_queue/v1", { id: event.id })).body).toEqual({ code: 0, count: 1 });
    await at.finish(first);
    const later = await run({ state: "start_delay", until: at.clock.now() + 900 });
    expect((await at.post("job_skip_delay/v1", { id: later })).status).toBe(200);
    await at.finish(later);
    expect((await at.send("search_jobs/v1?limit=10&sort_by=elapsed&sort_dir=1")).body.list.length).toBe(2);
    expect((await at.post("bulk_search_delete_jobs/v1", { query: `event:${event.id}` })).body).toEqual({
      code: 0,
      id: expect.any(String),
    });
    await at.until(async () => (await at.send("search_jobs/v1")).body.list.length === 0);
    expect((await at.post("bulk_search_delete_jobs/v1", { query: "none:1" })).body.code).toBe("db");
  });

  test("a log is downloaded by a link without a version, as in mails and hooks", async () => {
    const at = await open(name);
    const { event } = (await at.post("create_event/v1", eventOf())).body;
    const { id } = (await at.post("run_event/v1", { id: event.id })).body;
    await at.until(() => jobOf(at.server).includes(id));
    at.server.send("job_log", { id, text: "hello\n" });
    await at.finish(id);
    const { token } = (await at.send(`get_job/v1?id=${id}`)).body;
    const answer = await read(await at.app.request(`/api/app/download_job_log?id=${id}&t=${token}`));
    expect([answer.status, answer.text]).toEqual([200, "hello\n"]);
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename=xyOps-Job-Log-${id}.txt`);
  });
});

test("two nodes on one PostgreSQL: a job goes to the node that its server is connected to", {
  timeout: 240_000,
}, async () => {
  const connectionString = await lendDatabase();
  const node = async () => {
    const storage: Storage = await pgStorage({ connectionString });
    const agent = scriptedAgent();
    const blobs = memoryBlobStore();
    const engine = createSignalbox({
      storage,
      agents: agent,
      blobs,
      secretKey,
      config,
      clock: systemClock,
      plugins: [quickKeys],
    });
    await engine.start();
    onTestFinished(() => engine.stop());
    return { agent, engine };
  };
  const [one, two] = [await node(), await node()];
  const join = { clusterKey: secretKey };
  const server = await two.agent.connect({ hostname: "s1.example.internal", id: "s1", join });
  const { event } = await one.engine.api.createEvent(eventOf({ overlap: "queue" }) as never);
  // All nodes know the server's node within one heartbeat.
  let id = "";
  await expect
    .poll(
      async () => {
        ({ id } = await one.engine.api.runEvent({ id: event.id }));
        return jobOf(server).length > 0;
      },
      { interval: 1500 },
    )
    .toBe(true);
  expect(id).not.toBe("");
  const [first = ""] = jobOf(server);
  const ended = new Promise<void>((resolve) => {
    two.engine.events.on("job.completed", (job) => void (job.id === first && resolve()));
  });
  await one.engine.api.abortJob({ id: first });
  await expect.poll(() => server.received.some(({ cmd }) => cmd === "abort_job"), { interval: 100 }).toBe(true);
  server.send("jobs", { [first]: done({ code: "abort" }) });
  await ended;
  expect((await one.engine.api.getJob({ id: first })).job).toMatchObject({ code: "abort", final: true, server: "s1" });
});

test("a node that does not know where a server is still asks it to end a job", async () => {
  const connectionString = await lendDatabase();
  const node = async () => {
    const agent = scriptedAgent();
    const storage: Storage = pgStorage({ connectionString });
    // The places of servers are not reread, because this clock stands still.
    const engine = createSignalbox({ storage, agents: agent, secretKey, config, clock: fakeClock() });
    await engine.start();
    onTestFinished(() => engine.stop());
    return { agent, engine, storage };
  };
  const [one, two] = [await node(), await node()];
  const server = await two.agent.connect({
    hostname: "s1.example.internal",
    id: "s1",
    join: { clusterKey: secretKey },
  });
  // Its place is stored a moment after it has connected.
  await expect.poll(() => one.storage.read((tx) => tx.collection(serverPlaceCollection).list())).toHaveLength(1);
  const { event } = await two.engine.api.createEvent(eventOf());
  const { id } = await two.engine.api.runEvent({ id: event.id });
  await expect.poll(() => jobOf(server)).toEqual([id]);
  await one.engine.api.abortJob({ id });
  await expect.poll(() => server.received.some(({ cmd }) => cmd === "abort_job")).toBe(true);
  expect((await one.engine.api.getJob({ id })).job["state"]).toBe("active");
});
