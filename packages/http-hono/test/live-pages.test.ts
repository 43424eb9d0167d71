import { createSignalbox } from "@signalbox/core";
import { type ScriptedServer, scriptedAgent } from "@signalbox/core/testing";
import { pgStorage } from "@signalbox/storage-pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { lendDatabase } from "../../storage-pg/test/lent-database.ts";
import { createRouter } from "../src/index.ts";
import { openEngine } from "./boxes/fleet-engine.ts";
import { openFlows } from "./open-flows.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

const KEY = "administrator0123456789abc";
const secretKey = "a secret key for tests";
const SECRET = "planted-value-7f3k";

type Members = Record<string, unknown>;
interface PageUpdate {
  readonly page_cmd: string;
  readonly page_data: Members;
}

const eventOf = (members: object = {}) => ({
  ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["s1"], algo: "random" },
  ...{ params: { script: "echo hello" }, triggers: [{ type: "manual" as const, enabled: true }] },
  ...members,
});

const hasJob = (server: ScriptedServer, id: string): boolean =>
  server.received.some(({ cmd, data }) => cmd === "launch_job" && (data as { job: Members }).job["id"] === id);

/** Follows the updates of a page, and also keeps everything that arrives as text. */
async function look(app: ReturnType<typeof createRouter>, key: string, loc: string) {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const path = `/api/app/stream_updates/v1?loc=${encodeURIComponent(loc)}`;
  const response = await app.request(path, { headers: { "x-api-key": key }, signal: gone.signal });
  const heard = { wire: "", pages: [] as PageUpdate[] };
  let rest = "";
  const read = async (): Promise<void> => {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      const text = Buffer.from(chunk).toString();
      heard.wire += text;
      const parts = (rest + text).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const [, json] = /^event: page_update\ndata: (.*)$/m.exec(part) ?? [];
        if (json !== undefined) heard.pages.push(JSON.parse(json));
      }
    }
  };
  // Rejects when it is cut off at the end of the test.
  read().catch(() => undefined);
  return heard;
}

const dataOf = ({ pages }: { readonly pages: readonly PageUpdate[] }, cmd: string): Members[] =>
  pages.flatMap(({ page_cmd, page_data }) => (page_cmd === cmd ? [page_data] : []));
const textOf = (heard: { readonly pages: readonly PageUpdate[] }): string =>
  dataOf(heard, "log_append")
    .map(({ text }) => text)
    .join("");

describe.each(ONE_STORAGE)("pages of jobs over %s", (name) => {
  test("only viewers of a job get its output, lines, limits, actions and end, without secrets", async () => {
    const { admin, agent, clock, engine } = await openEngine(name, { administratorKey: KEY, secretKey });
    const until = untilOf(clock);
    const app = createRouter(engine);
    for (const id of ["rail", "ops"]) await admin.post("create_category", { id, title: id });
    const keyFor = async (category: string): Promise<string> =>
      (await admin.post("create_api_key", { title: category, privileges: {}, categories: [category] })).body.plain_key;
    const limits = [{ enabled: true, type: "log", amount: 8 }];
    const actions = [{ enabled: true, condition: "complete", type: "label", label: "Done" }];
    const { event } = (await admin.post("create_event", eventOf({ category: "rail", limits, actions }))).body;
    await admin.post("create_secret", {
      ...{ title: "Of the event", fields: [{ name: "TOKEN", value: SECRET }], events: [event.id] },
    });
    const server = await agent.connect({
      ...{ hostname: "s1.example.internal", id: "s1", join: { clusterKey: secretKey } },
    });
    const { id } = (await admin.post("run_event", { id: event.id })).body;
    await until(() => hasJob(server, id));
    const page = await look(app, await keyFor("rail"), `#Job?id=${id}`);
    const stranger = await look(app, await keyFor("ops"), `Job?id=${id}`);
    server.send("job_log", { id, text: `the token is ${SECRET}\n` });
    await until(() => textOf(page).endsWith("\n"));
    server.send("job_meta", { id, text: `got ${SECRET}` });
    await until(() => dataOf(page, "meta_row").some(({ msg }) => String(msg).startsWith("got")));
    await until(() => dataOf(page, "limit_triggered").length > 0);
    expect(dataOf(page, "limit_triggered")).toMatchObject([
      { msg: "Job output size has exceeded maximum limit of 8 bytes.", limits: [{ type: "log" }] },
    ]);
    server.send("job_log", { id, text: "the end" });
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
    await until(() => dataOf(page, "job_completed").length > 0);
    expect(textOf(page)).toMatch(/^the token is .+\nthe end$/);
    expect(dataOf(page, "meta_row").map(({ msg }) => msg)).toContain("Job completed successfully.");
    expect(dataOf(page, "action_append")).toContainEqual({
      action: expect.objectContaining({ type: "label", code: 0 }),
    });
    expect(page.pages.at(-1)?.page_cmd).toBe("job_completed");
    expect(page.wire).not.toContain(SECRET);
    expect(stranger.pages).toEqual([]);
    expect(stranger.wire).not.toContain(id);
  });
});

describe.each(ONE_STORAGE)("pages of workflows over %s", (name) => {
  test("a viewer of a workflow is sent its running nodes, aborts, and its end", async () => {
    const at = await openFlows(name);
    const { plain_key: key } = await at.must("create_api_key", { title: "Reader", privileges: {} });
    const app = createRouter(at.engine);
    const tag = { type: "action", data: { enabled: true, type: "tag", tags: ["flag"] } };
    const id = await at.start({
      nodes: { a: "job", r: { controller: "repeat", repeat: 2 }, b: "job", t: tag },
      wires: ["start>a", "a>r:success", "r>b", "b>t:continue"],
      answers: { a: [{ hangs: true }] },
    });
    const [part] = await at.told("a");
    const page = await look(app, key, `Job?id=${id}`);
    at.end(part?.job.id);
    await at.until(() => dataOf(page, "job_completed").length > 0);
    const rows = dataOf(page, "meta_row").map(({ msg }) => String(msg));
    for (const node of ["r", "b", "t"]) expect(rows.filter((row) => row.endsWith(`(Node #${node})`))).toHaveLength(1);
    expect(page.pages.at(-1)?.page_cmd).toBe("job_completed");
  });
});

test("a page served by one node is sent the news of a job whose server is connected to another", async () => {
  const connectionString = await lendDatabase();
  const node = async () => {
    const agent = scriptedAgent();
    const storage = pgStorage({ connectionString });
    const engine = createSignalbox({ storage, agents: agent, secretKey, administratorKey: KEY, plugins: [quickKeys] });
    await engine.start();
    onTestFinished(() => engine.stop());
    return { agent, engine };
  };
  const [here, there] = [await node(), await node()];
  const join = { clusterKey: secretKey };
  const server = await there.agent.connect({ hostname: "s1.example.internal", id: "s1", join });
  const { event } = await there.engine.api.createEvent(eventOf());
  const { id } = await there.engine.api.runEvent({ id: event.id });
  const patience = { interval: 100 };
  await expect.poll(() => hasJob(server, id), patience).toBe(true);
  const page = await look(createRouter(here.engine), KEY, `Job?id=${id}`);
  server.send("job_log", { id, text: "from afar\n" });
  server.send("job_meta", { id, text: "a line" });
  let progress = 0;
  // Agents report the progress of their jobs each second.
  const beat = (): boolean => {
    progress += 0.01;
    server.send("jobs", { [id]: { progress } });
    return textOf(page) === "from afar\n" && dataOf(page, "meta_row").some(({ msg }) => msg === "a line");
  };
  await expect.poll(beat, { interval: 500 }).toBe(true);
  server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
  await expect.poll(() => dataOf(page, "job_completed").length, patience).toBe(1);
});
