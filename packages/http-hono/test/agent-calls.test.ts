import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { memoryStorage } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";
import type { ScriptedServer } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import { ONE_STORAGE, openStorage } from "./open-storage.ts";
import { captured, KEY, serveAgents, sha256 } from "./serve-agents.ts";

type Started = Awaited<ReturnType<typeof serveAgents>>;

/** Plays the agent's part; the answers to its calls must equal the captured ones. */
async function replay(at: Started, server: ScriptedServer, name: string, job: string) {
  const answers: { status: number; body: Record<string, unknown> }[] = [];
  const expected: { status: number | undefined; body: unknown }[] = [];
  /** The path of the uploaded file in the capture and now. */
  let key: readonly [string, string] = ["", ""];
  for (const line of captured(name, { job, server: server.id })) {
    if (line.cmd === "abort_job") {
      await at.engine.api.abortJob({ id: job });
      await server.message("abort_job");
    } else if (line.dir === "out" && line.via === "http") {
      const then = Object(line.body).key;
      if (typeof then === "string") key = [then, String(answers.at(-1)?.body["key"])];
      expected.push({ status: line.status, body: withNode(withKey(line.body, key)) });
    } else if (line.dir === "in" && line.via === "ws") server.send(line.cmd ?? "", line.data);
    else if (line.dir === "in") answers.push(await at.send(withKey(line, key)));
  }
  return { answers, expected, key: key[1] };
}

const NODE = expect.stringMatching(/^n\w+$/);
/** Answers that name the master also name the nodes here. */
const withNode = (body: unknown): unknown =>
  Object(body).master === true ? { ...Object(body), node: NODE, leader: NODE } : body;

const withKey = <T>(value: T, [then, now]: readonly [string, string]): T =>
  then === "" ? value : JSON.parse(JSON.stringify(value).replaceAll(then, now));

describe.each(ONE_STORAGE)("calls of agents over %s", (name) => {
  const begin = async () => {
    const at = await serveAgents({ storage: await openStorage(name) });
    const server = await at.connect();
    return {
      at,
      server,
      id: await at.launch(server),
      job: async (id: string) => (await at.engine.api.getJob({ id })).job,
    };
  };

  test("the captured job uploads its file and ends", async () => {
    const { at, server, id, job } = await begin();
    await at.engine.api.createTag({ id: "nightly", title: "Nightly" });
    const { answers, expected, key } = await replay(at, server, "shell", id);
    expect(answers).toEqual(expected);
    expect(key).toMatch(new RegExp(`^files/jobs/${id}/[\\w-]{43}/report\\.csv$`));
    const record = await job(id);
    expect(record).toMatchObject({
      ...{ final: true, code: 0, description: "Backup finished", data: { rows: 1234 } },
      files: [{ filename: "report.csv", path: key, size: 17, job: id }],
    });
    expect(record.tags).toContain("nightly");
    expect(await (await fetch(`${at.url}/${key}`)).text()).toBe("sample,value\na,1\n");
  });

  test.each([
    ["abort", "abort", "Manually aborted by"],
    ["failure", 3, "Script exited with code: 3: broken"],
  ] as const)("the captured %s ends with code %s", async (which, code, description) => {
    const { at, server, id, job } = await begin();
    const { answers, expected } = await replay(at, server, which, id);
    expect(answers).toEqual(expected);
    const record = await job(id);
    expect(record).toMatchObject({ final: true, code });
    expect(record.description).toContain(description);
  });

  test("a result that arrives again changes nothing", async () => {
    const { at, server, id, job } = await begin();
    const { key } = (await at.upload({ id, auth: sha256(id + KEY) })).body;
    const files = [{ id: "f1", filename: "a.csv", path: key, size: 4 }];
    const body = { id, server: server.id, auth: sha256(server.id + KEY), job: { state: "complete", code: 0, files } };
    const done = { status: 200, body: { code: 0 } };
    expect(await at.post("/api/app/finish_job", body)).toEqual(done);
    const record = await job(id);
    expect(record).toMatchObject({ final: true, files });
    expect(await at.post("/api/app/finish_job", body)).toEqual(done);
    expect(await job(id)).toEqual(record);
  });

  test("files are deleted with their job", async () => {
    const { at, id } = await begin();
    const { key } = (await at.upload({ id, auth: sha256(id + KEY) })).body;
    await at.post("/api/app/finish_job", { id, auth: sha256(id + KEY), job: { code: 0 } });
    expect((await fetch(`${at.url}/${String(key)}`)).status).toBe(200);
    await at.engine.api.deleteJob({ id });
    while ((await fetch(`${at.url}/${String(key)}`)).status !== 404) await fetch(`${at.url}/health`);
    expect(await at.engine.blobs.list("files/", { limit: 1 })).toEqual([]);
  });

  test("a server that lost its connection gets a status that asks it to retry", async () => {
    const { at, server, id, job } = await begin();
    const body = { id, server: "s1", auth: sha256(`s1${KEY}`), job: { state: "complete", code: 0 } };
    server.close();
    const later = { status: 503, body: { code: "auth", description: "Authentication failure" } };
    expect(await at.post("/api/app/finish_job", body)).toEqual(later);
    expect(await at.post("/api/app/finish_job/v1", body)).toEqual(later);
    // A wrong token stays wrong, so the answer does not ask for a retry.
    expect(await at.post("/api/app/finish_job", { ...body, auth: "wrong" })).toEqual({ ...later, status: 200 });
    await at.connect();
    expect((await at.post("/api/app/finish_job", body)).body).toEqual({ code: 0 });
    expect(await job(id)).toMatchObject({ final: true, code: 0 });
  });
});

test("an unavailable storage is reported by the status", async () => {
  const inner = memoryStorage();
  let isDown = false;
  const guard =
    <A, R>(work: (given: A) => Promise<R>) =>
    (given: A): Promise<R> =>
      isDown ? Promise.reject(new Error("The disk is full")) : work(given);
  const storage: Storage = { ...inner, write: guard(inner.write) as Storage["write"] };
  const at = await serveAgents({ storage });
  const server = await at.connect();
  const id = await at.launch(server);
  const body = { id, auth: sha256(id + KEY), job: { state: "complete", code: 7 } };
  isDown = true;
  expect(await at.post("/api/app/finish_job", body)).toMatchObject({ status: 503, body: { code: "job" } });
  isDown = false;
  expect(await at.post("/api/app/finish_job", body)).toEqual({ status: 200, body: { code: 0 } });
  expect((await at.engine.api.getJob({ id })).job).toMatchObject({ final: true, code: 7 });
});

test.each([
  [24, 200, { code: 0 }],
  [0, 200, { code: "auth", description: "Authentication failure" }],
])("tokens of the previous key are valid for %i hours", async (hours, status, body) => {
  const config = { satellite: { secret_key_grace_hours: hours } };
  const at = await serveAgents({ storage: memoryStorage(), secretKeys: ["the key of today, long", KEY], config });
  const server = await at.connect();
  const id = await at.launch(server);
  const call = { id, server: "s1", auth: sha256(`s1${KEY}`), job: { code: 0 } };
  expect(await at.post("/api/app/finish_job", call)).toEqual({ status, body });
});

describe("calls of agents at the root", () => {
  const start = () => serveAgents({ storage: memoryStorage() });

  test("/health and ping answer in the form that agents expect", async () => {
    const { url } = await start();
    const node = expect.stringMatching(/^n\w+$/);
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ code: 0, master: true, node, leader: node });
    expect(await (await fetch(`${url}/api/app/ping`)).text()).toBe('{"code":0}\n');
  });

  test("files are sent in pieces, with exact lengths", async () => {
    const at = await start();
    const path = "files/u/x/big.bin";
    await at.engine.blobs.put(path, new Blob(["0123456789".repeat(100_000)]).stream());
    const whole = await fetch(`${at.url}/${path}`);
    expect([whole.headers.get("content-length"), (await whole.text()).length]).toEqual(["1000000", 1_000_000]);
    const piece = await fetch(`${at.url}/${path}`, { headers: { range: "bytes=999995-2000000" } });
    expect([piece.status, piece.headers.get("content-length"), await piece.text()]).toEqual([206, "5", "56789"]);
    const none = await fetch(`${at.url}/${path}`, { headers: { range: "bytes=1000000-" } });
    expect([none.status, none.headers.get("content-range"), await none.text()]).toEqual([416, "bytes */1000000", ""]);
    const head = await fetch(`${at.url}/${path}`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "1000000"]);
    const etag = whole.headers.get("etag") ?? "";
    expect((await fetch(`${at.url}/${path}`, { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  test.each([
    "/files/../logs/secret",
    "/files/%2e%2e/logs/secret",
    "/files/..%2flogs/secret",
    "//files/../../logs/secret",
  ])("%s serves nothing that is not a file", async (path) => {
    const at = await start();
    await at.engine.blobs.put("logs/secret", new Blob(["hidden"]).stream());
    // `fetch` would normalise the path.
    const call = request({ port: at.port, path });
    call.end();
    const [response] = (await once(call, "response")) as [IncomingMessage];
    const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
    expect([response.statusCode, text.includes("hidden")]).toEqual([404, false]);
  });

  test("an upload under another field, or without a valid token, leaves nothing", async () => {
    const at = await start();
    const server = await at.connect();
    const id = await at.launch(server);
    const auth = sha256(id + KEY);
    expect(await at.upload({ id, auth }, { field: "file2" })).toEqual({
      status: 200,
      body: { code: "job", description: "File upload data not found" },
    });
    expect(await at.upload({ id, auth: "wrong" })).toEqual({
      status: 200,
      body: { code: "auth", description: "Authentication failure" },
    });
    expect((await at.upload({ id, auth }, { text: "" })).body).toMatchObject({ code: "api" });
    expect(await at.engine.blobs.list("", { limit: 9 })).toEqual([]);
  });
});

test("a result or a file with a wrong token is forbidden, not an internal error", async () => {
  const at = await serveAgents({ storage: memoryStorage() });
  const server = await at.connect();
  const id = await at.launch(server);
  const forbidden = { status: 403, body: { code: "auth", description: "Authentication failure" } };
  for (const wrong of [{ id, auth: "wrong" }, { id, server: server.id, auth: "0".repeat(64) }, { id }]) {
    expect(await at.post("/api/app/finish_job/v1", { ...wrong, job: { code: 0 } })).toEqual(forbidden);
    expect(await at.upload(wrong as Record<string, string>, { version: "/v1" })).toEqual(forbidden);
  }
});

test("a result that names a file which no store could hold is accepted without the file", async () => {
  const at = await serveAgents({ storage: memoryStorage() });
  const server = await at.connect();
  const id = await at.launch(server);
  const files = [{ id: "f1", filename: "a.csv", path: `files/jobs/${id}/${"x".repeat(300)}/a.csv`, size: 4 }];
  const body = { id, server: server.id, auth: sha256(server.id + KEY), job: { state: "complete", code: 0, files } };
  expect(await at.post("/api/app/finish_job", body)).toEqual({ status: 200, body: { code: 0 } });
});
