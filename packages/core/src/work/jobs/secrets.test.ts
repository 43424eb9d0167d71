import { setImmediate } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { cradleProbe, quickKeys, recordingLogger } from "../../../test/engine.ts";
import { MASK } from "../../directory/secrets/rules/mask.ts";
import { anonymous } from "../../kernel/calls/context.ts";
import type { StreamResult } from "../../kernel/calls/operation.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";
import { type JobsOptions, launched, startJobs, type TestJobs } from "../../testing/test-jobs.ts";
import { streamToken } from "./access/rules/tokens.ts";

type Members = Record<string, unknown>;
const VALUE = "planted-value-7f3k";
const KEY = "-----BEGIN KEY-----\nplantedline1XyZ\nplantedline2AbC\n-----END KEY-----";
const done = (members: Members = {}) => ({ state: "complete", complete: true, code: 0, ...members });
const join = { clusterKey: "EXAMPLE_CLUSTER_KEY" };

/** An action that records the data it receives. */
function noteAction() {
  const noted: unknown[] = [];
  const note = definePlugin({
    id: "test.note",
    actionTypes: {
      "test.note": {
        applies: ["job"],
        target: () => "",
        run: async ({ data }) => {
          noted.push(data);
          return { code: 0, description: "" };
        },
      },
    },
  });
  return { note, noted };
}

/** An engine with the real vault, whose event has a secret. */
async function setUp(options: JobsOptions = {}, secret: Members = {}) {
  const log = recordingLogger();
  const probe = cradleProbe();
  const { note, noted } = noteAction();
  const plugins = [quickKeys, probe.plugin, note, ...(options.plugins ?? [])];
  const jobs = await startJobs({ log, ...options, plugins });
  const { api } = jobs.signalbox;
  const server = await jobs.connect({ join });
  const event = await jobs.event({ actions: [{ enabled: true, condition: "complete", type: "test.note" }] });
  const fields = [
    { name: "TOKEN", value: VALUE },
    { name: "KEY", value: KEY },
  ];
  await api.createSecret({ title: "Of the event", fields, events: [event], ...secret });
  return {
    ...jobs,
    ...{ api, event, log, noted, probe, server },
    /** Runs the event and waits until its server has received the job, which takes as long as opening the secrets. */
    async start(members: Members = {}): Promise<string> {
      const hasStarted = jobs.next("job.started");
      const { id } = await api.runEvent({ id: event, ...members });
      await untilHappened(jobs, hasStarted);
      return id;
    },
    read: async (id: string): Promise<Members> => (await api.getJob({ id })).job,
    async tell(id: string, update: unknown) {
      server.send("jobs", { [id]: update });
      await jobs.settle();
    },
    async print(id: string, text: string) {
      server.send("job_log", { id, text });
      await jobs.settle();
    },
  };
}

const secOf = (server: ScriptedServer, id: string): unknown =>
  (launched(server).find(({ job }) => job["id"] === id) as Members | undefined)?.["sec"];

/** Moves the clock until something has happened: keys are derived in another thread, in real time. */
async function untilHappened<R>({ settle }: Pick<TestJobs, "settle">, event: Promise<R>): Promise<R> {
  let isOver = false;
  const watched = event.finally(() => {
    isOver = true;
  });
  await settle();
  while (!isOver) {
    // By very little, because a job that seems to hang for minutes is given up.
    await settle(0.0001);
    await setImmediate();
  }
  return watched;
}

/** Everything that is stored: records, queued work and blobs, which are decompressed. */
async function everythingStored(
  { blobs, storage }: Pick<TestJobs, "blobs" | "storage">,
  probe: ReturnType<typeof cradleProbe>,
): Promise<string> {
  const { collections } = probe.cradle().registry;
  const records = await storage.read(async (tx) => {
    const found: unknown[] = [];
    for (const collection of collections) {
      const { rows } = await tx.collection(collection).find({ kind: "all" }, { limit: 100_000 });
      found.push(collection.name, rows);
    }
    return found;
  });
  const contents: string[] = [];
  for (const key of await blobs.list("", { limit: 1000 })) {
    const blob = await blobs.get(key);
    const bytes = Buffer.concat(blob ? await Array.fromAsync(blob.content) : []);
    contents.push(key, key.endsWith(".gz") ? gunzipSync(bytes).toString() : bytes.toString());
  }
  return JSON.stringify({ records, contents });
}

const PLANTED = /planted-value-7f3k|plantedline/;

describe("the launch message", () => {
  test("contains the values of event, category and plugin, the later ones over the earlier", async () => {
    const at = await setUp();
    const secrets = [
      { title: "C", categories: ["general"], fields: [{ name: "TOKEN", value: "of the category" }] },
      { title: "P", plugins: ["shellplug"], fields: [{ name: "PLUGIN", value: "of the plugin" }] },
      { title: "Off", events: [at.event], enabled: false, fields: [{ name: "OFF", value: "disabled" }] },
      { title: "Other", events: ["e2"], fields: [{ name: "OTHER", value: "of another event" }] },
    ];
    for (const secret of secrets) await at.api.createSecret(secret);
    const id = await at.start();
    expect(secOf(at.server, id)).toEqual({ KEY, TOKEN: "of the category", PLUGIN: "of the plugin" });
  });

  test("is the only place of the values: no record, log, blob or answer contains one", async () => {
    const at = await setUp({ config: { max_inline_job_log_size: "1 KB" } });
    const id = await at.start();
    await at.print(id, `${VALUE} ${KEY}\n`.repeat(300));
    await at.tell(id, { state: "active", label: VALUE, perf: { [VALUE]: 1 }, push: { tags: [VALUE] } });
    expect(JSON.stringify(await at.api.getActiveJobs())).not.toMatch(PLANTED);
    await at.clock.advance(6);
    await at.tell(id, done({ description: KEY, data: { VALUE, KEY }, table: { rows: [[VALUE]] }, html: VALUE }));
    // A log of this size is compressed into a blob, in real time.
    while (!(await at.read(id))["log_uploaded"]) await untilHappened(at, setImmediate());
    const stored = await everythingStored(at, at.probe);
    expect(stored).toContain("**** ****\\n");
    expect(stored).not.toMatch(PLANTED);
    expect(JSON.stringify(at.log.lines.map(({ message, fields }) => [message, fields]))).not.toMatch(PLANTED);
    expect(JSON.stringify(at.server.received.filter(({ cmd }) => cmd !== "launch_job"))).not.toMatch(PLANTED);
  });

  test("of a retry has the values of its time", async () => {
    const at = await setUp({}, { id: "zone" });
    await at.api.updateEvent({ id: at.event, limits: [{ enabled: true, type: "retry", amount: 1 }] });
    const first = await at.start();
    await at.api.updateSecret({ id: "zone", fields: [{ name: "TOKEN", value: "rotated" }] });
    const hasStarted = at.next("job.started");
    await at.tell(first, done({ code: 1 }));
    const { id: second } = await untilHappened(at, hasStarted);
    expect(second).not.toBe(first);
    expect(secOf(at.server, second)).toEqual({ TOKEN: "rotated" });
  });
});

describe("secrets in a job's output", () => {
  test("are masked in its log, live and stored, also across pieces", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.print(id, `one ${VALUE.slice(0, 8)}`);
    expect((await at.api.tailLiveJobLog({ id })).text).toBe("one ");
    await at.print(id, `${VALUE.slice(8)} two\n`);
    expect((await at.api.tailLiveJobLog({ id })).text).toBe(`one ${MASK} two\n`);
    for (const line of KEY.split("\n")) await at.print(id, `${line}\n`);
    await at.tell(id, done());
    expect(await at.read(id)).toMatchObject({ output: `one ${MASK} two\n${MASK}\n`, log_file_size: 18 });
  });

  test("are masked when output comes one character at a time, in single messages", async () => {
    const at = await setUp();
    const id = await at.start();
    for (const character of `<${VALUE}> and ${VALUE.slice(0, -1)}.`) at.server.send("job_log", { id, text: character });
    await at.clock.advance(3);
    expect((await at.api.tailLiveJobLog({ id })).text).not.toContain(VALUE);
    await at.tell(id, done());
    expect(await at.read(id)).toMatchObject({ output: `<${MASK}> and ${VALUE.slice(0, -1)}.` });
  });

  test("are masked in its live stream, milestones and final record", async () => {
    const at = await setUp();
    const id = await at.start();
    at.server.send("job_meta", { id, text: `Trying ${VALUE}` });
    await at.tell(id, { state: "active", status: VALUE, label: VALUE, table: { rows: [[VALUE]] }, redraw: "r1" });
    const events: string[] = [];
    const token = streamToken(id, "EXAMPLE_CLUSTER_KEY");
    const { body } = (await at.signalbox.execute({
      operation: "stream_job",
      input: { id, token },
      actor: anonymous,
    })) as StreamResult;
    const reading = (async () => {
      for await (const piece of body as AsyncIterable<Uint8Array>) events.push(Buffer.from(piece).toString());
    })();
    await at.clock.advance(1);
    await at.tell(id, done({ code: 3, description: `No ${VALUE}`, data: { key: KEY, n: 5 }, text: `<${VALUE}>` }));
    await untilHappened(at, reading);
    expect(events.join("")).toContain(`"status":"${MASK}"`);
    expect(events.join("")).toContain(`"description":"No ${MASK}"`);
    expect(events.join("")).not.toMatch(PLANTED);
    const job = await at.read(id);
    expect(job).toMatchObject({ code: 3, description: `No ${MASK}`, data: { key: MASK, n: 5 }, label: MASK });
    expect(job["activity"]).toContainEqual(expect.objectContaining({ msg: `Trying ${MASK}` }));
    expect(JSON.stringify(job)).not.toMatch(PLANTED);
  });

  test("are masked in the data of its actions", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.tell(id, done({ description: VALUE, data: { VALUE } }));
    await at.settle();
    expect(at.noted).toMatchObject([{ job: { id, description: MASK, data: { VALUE: MASK } } }]);
    expect(JSON.stringify(at.noted)).not.toMatch(PLANTED);
  });

  test("are shown where the secret says so, and where a value is short", async () => {
    const fields = [
      { name: "USER", value: "backup-user" },
      { name: "PIN", value: "abc" },
    ];
    const at = await setUp({}, { fields, mask: false });
    await at.api.createSecret({ title: "Short", events: [at.event], fields: [{ name: "PIN", value: "xyz" }] });
    const id = await at.start();
    await at.print(id, "backup-user abc xyz\n");
    expect((await at.api.tailLiveJobLog({ id })).text).toBe("backup-user abc xyz\n");
  });

  test("are not seen in an end that only looks like a value", async () => {
    const at = await setUp();
    const aborted = await at.start();
    await at.print(aborted, "the end is planted");
    await at.api.abortJob({ id: aborted });
    at.server.close();
    await at.clock.advance(130);
    expect(await at.read(aborted)).toMatchObject({ code: "abort", output: "the end is planted", log_file_size: 18 });
  });

  test("are masked as well in output that comes after the end", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.api.abortJob({ id });
    at.server.close();
    await at.clock.advance(130);
    expect(await at.read(id)).toMatchObject({ code: "abort", final: true });
    const again = await at.connect({ join });
    const hasChanged = at.next("job.updated");
    again.send("jobs", { [id]: done({ description: `Done with ${VALUE}`, data: { VALUE } }) });
    await untilHappened(at, hasChanged);
    const job = await at.read(id);
    expect(job).toMatchObject({ code: "warning", data: { VALUE: MASK } });
    expect(JSON.stringify(job)).not.toMatch(PLANTED);
  });

  test("are masked by a new engine before it accepts any output", async () => {
    const at = await setUp();
    await at.api.updateEvent({ id: at.event, actions: [] });
    const id = await at.start();
    at.crash();
    const { blobs, storage } = at;
    const again = await startJobs({ blobs, storage, plugins: [quickKeys], clock: fakeClock(at.clock.now() + 1) });
    const server = await again.connect({ join });
    const hasEnded = again.next("job.completed");
    server.send("job_log", { id, text: `still ${VALUE}\n` });
    server.send("job_meta", { id, text: `still ${VALUE}` });
    server.send("jobs", { [id]: done({ description: VALUE, data: { VALUE } }) });
    await untilHappened(again, hasEnded);
    const { job } = await again.signalbox.api.getJob({ id });
    expect(job).toMatchObject({ output: `still ${MASK}\n`, description: MASK, data: { VALUE: MASK } });
    expect(await everythingStored(again, at.probe)).not.toMatch(PLANTED);
  });
});
