import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { clientName } from "@signalbox/core/plugin";
import { createRouter } from "@signalbox/http-hono";
import { expect, expectTypeOf, onTestFinished, test } from "vitest";
import { quickKeys, quickPasswords } from "../../core/test/engine.ts";
import { type Api, pathOf } from "./api.ts";
import { type CodeOf, createClient, isErrorOf, type Refusals, SignalboxError } from "./index.ts";

const PASSWORD = "correct horse battery";

/** Serves an engine and its router on a socket. */
async function serve() {
  const signalbox = createSignalbox({
    storage: memoryStorage(),
    secretKey: "a secret key for tests",
    administratorPassword: PASSWORD,
    plugins: [quickKeys, quickPasswords],
    config: { User: { cookie_settings: false } },
  });
  const { administratorKey: apiKey = "" } = await signalbox.start();
  const server = createServer(getRequestListener(createRouter(signalbox).fetch));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await signalbox.stop();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return { signalbox, url, client: createClient({ url, apiKey }) };
}

test.each([undefined, {}, { url: undefined }])("a client without an address is refused: %o", (given) => {
  expect(() => createClient(given as never)).toThrow(
    'createClient: url is missing: give the address of the API, such as "/ops/api"',
  );
});

test("an address contains the given members, except null and undefined ones", () => {
  const { href } = createClient({ url: "/ops/api/" });
  const input = { path: "a b/c&d", download: 0, token: null, cachebust: undefined };
  expect(href("file", input)).toBe("/ops/api/app/file/v1?path=a+b%2Fc%26d&download=0");
  expect(href("user/admin_get_users", {})).toBe("/ops/api/user/admin_get_users/v1");
});

test("every operation has a method with its own path", async () => {
  const { signalbox } = await serve();
  for (const operation of signalbox.operations.values())
    expect(pathOf(clientName(operation))).toBe(`${operation.namespace}/${operation.name}/v1`);
});

test("every method has a union of the codes that its operation refuses with", async () => {
  expectTypeOf<keyof Refusals>().toEqualTypeOf<keyof Api>();
  expectTypeOf<CodeOf<"ping">>().toEqualTypeOf<
    "api" | "network" | "http" | "access" | "body" | "internal" | "storage"
  >();
  expectTypeOf<"event">().toExtend<CodeOf<"deleteEvent">>();
  expectTypeOf<"tag">().not.toExtend<CodeOf<"deleteEvent">>();
  const { client } = await serve();
  const error: unknown = await client.api.deleteEvent({ id: "enone" }).catch((reason: unknown) => reason);
  if (!isErrorOf<"deleteEvent">(error)) throw error;
  expectTypeOf(error.code).toEqualTypeOf<CodeOf<"deleteEvent">>();
  expect(error.code).toBe("event");
  expect(isErrorOf<"deleteEvent">(new Error("of somebody else"))).toBe(false);
});

test("operations are called by their names", async () => {
  const { client } = await serve();
  const { tag } = await client.api.createTag({ id: "t1", title: "Tag" });
  expect(tag.title).toBe("Tag");
  expect((await client.api.getTags()).rows.map(({ id }) => id)).toContain("t1");
});

test("a refusal has a code, a text and a status", async () => {
  const { client, url } = await serve();
  const unknown = await client.api.getJob({ id: "jnone" }).catch((error: unknown) => error);
  expect(unknown).toBeInstanceOf(SignalboxError);
  expect(unknown).toMatchObject({ code: "notfound", status: 404 });
  const stranger = createClient({ url });
  await expect(stranger.api.getTags()).rejects.toMatchObject({ code: "session", status: 403 });
  const gone = createClient({ url: "http://127.0.0.1:1/api" });
  await expect(gone.api.ping()).rejects.toMatchObject({
    ...{ code: "network", status: 0 },
    description: expect.stringMatching(/^No answer from http:\/\/127\.0\.0\.1:1\/api\/app\/ping\/v1: /),
  });
  const astray = createClient({ url: url.replace(/\/api$/, "/app") });
  await expect(astray.api.ping()).rejects.toMatchObject({
    ...{ code: "http", status: 404 },
    description: "The server answered 404: does url lead to the API, up to /api?",
  });
});

test("an answer that breaks off is an error", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"code":0,"rows":[', () => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const client = createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` });
  const error = await client.api.getTags().catch((reason: unknown) => reason);
  expect(isErrorOf<"getTags">(error)).toBe(true);
  expect(error).toMatchObject({ code: "network", status: 0 });
});

test("the page of a sign-in is an error, although its status is 200", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/login")
      response.setHeader("Content-Type", "text/html; charset=utf-8").end("<h1>Sign in</h1>");
    else response.writeHead(302, { Location: "/login" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const client = createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` });
  await expect(client.api.runEvent({ id: "e1" })).rejects.toMatchObject({ code: "http", status: 200 });
});

test("a call can be aborted", async () => {
  const { client } = await serve();
  await expect(client.api.getTags({}, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
});

test("files are uploaded beside the input, and downloaded unchanged", async () => {
  const { client, url } = await serve();
  const files = [new File(["a,b\n1,2\n"], "rows.csv", { type: "text/csv" })];
  const { ticket } = await client.api.createTicket({ subject: "With a file" }, { files });
  const [file] = ticket.files as { path: string; filename: string }[];
  expect(file?.filename).toBe("rows.csv");
  expect(await (await fetch(`${url.replace("/api", "")}/${file?.path}`)).text()).toBe("a,b\n1,2\n");
});

test("lines of JSON and stored files of JSON are returned unchanged", async () => {
  const { client } = await serve();
  const files = [new File(['{"code":"E42"}'], "fault.json", { type: "application/json" })];
  const { ticket } = await client.api.createTicket({ subject: "One" }, { files });
  await client.api.createTicket({ subject: "Two" });
  const sent = { index: "tickets", columns: ["subject"], format: "ndjson" as const, query: "*", sort_by: "num" };
  const lines = await client.api.bulkSearchExport({ ...sent, sort_dir: 1 });
  expect(await lines.text()).toBe('{"subject":"One"}\n{"subject":"Two"}\n');
  const [file] = ticket.files as { path: string }[];
  const stored = await fetch(client.href("file", { path: file?.path.replace("files/", "") }));
  expect(stored.headers.get("content-type")).toBe("application/json");
  const read = await client.api.file({ path: String(file?.path.replace("files/", "")) });
  expect(await read.text()).toBe('{"code":"E42"}');
});

test("a stored page is returned unchanged", async () => {
  const { client } = await serve();
  const files = [new File(["<h1>Report</h1>"], "report.html", { type: "text/html" })];
  const { ticket } = await client.api.createTicket({ subject: "With a page" }, { files });
  const [file] = ticket.files as { path: string }[];
  const read = await client.api.file({ path: String(file?.path.replace("files/", "")) });
  expect([read.headers.get("content-type"), await read.text()]).toEqual(["text/html", "<h1>Report</h1>"]);
});

test("a session sends its token", async () => {
  const { url } = await serve();
  const visitor = createClient({ url });
  const { session_id: id = "" } = await visitor.api.userLogin({ username: "admin", password: PASSWORD });
  const signedIn = createClient({ url, headers: { "X-Session-ID": id } });
  expect((await signedIn.api.createTag({ id: "t2", title: "By session" })).tag.id).toBe("t2");
});

test("a stream yields its events, and is resumed where it ended", async () => {
  const { client } = await serve();
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { event, data } of client.stream("stream_updates", {}, { signal: stop.signal })) {
    seen.push(event);
    if (event === "login") await client.api.createTag({ id: "t3", title: "Told" });
    if (event === "update" && data.tags) stop.abort();
  }
  expect(seen[0]).toBe("login");
  expect(seen).toContain("update");
});

test("a refused stream is not retried", async () => {
  const { url } = await serve();
  const stranger = createClient({ url });
  await expect(stranger.stream("stream_updates")[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: "session",
  });
});
