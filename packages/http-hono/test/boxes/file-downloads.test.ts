import { gunzipSync } from "node:zlib";
import { createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../../core/test/engine.ts";
import { createRouter } from "../../src/index.ts";
import { KEY, openFiles, type Sent, text } from "./file-box.ts";

describe("uploads and downloads", () => {
  test.each(["page.html", "page.HTM", "picture.svg", "page.xhtml", "feed.xml", "code.js", "code.mjs", "p.shtml"])(
    "%s is saved by browsers and never shown",
    async (filename) => {
      const at = await openFiles("memory");
      const { body } = await at.upload("upload_job_input_files/v1", { a: text(filename, "<script>alert(1)</script>") });
      const path = `/${body.files[0].path}`;
      const asked: [string, Record<string, string>][] = [
        ["GET", {}],
        ["HEAD", {}],
        ["GET", { range: "bytes=0-3" }],
      ];
      for (const [method, headers] of asked)
        for (const query of ["", "?download=0", "?download=page.txt"]) {
          const answer = await at.send(path + query, { method, headers });
          const { "content-type": type = "", ...sent } = Object.fromEntries(answer.headers);
          expect(sent).toMatchObject({
            "content-security-policy": "default-src 'none'; sandbox",
            "x-content-type-options": "nosniff",
          });
          const isHarmless = type === "application/octet-stream";
          if (!isHarmless) expect(sent["content-disposition"]).toMatch(/^attachment; filename="/);
        }
    },
  );

  test.each<[string, RegExp]>([
    ["Größe über alles.txt", /\/gr__e__ber_alles\.txt$/],
    ["日本語のファイル.txt", /\/_+\.txt$/],
    ["العربية.pdf", /\/_+\.pdf$/],
    ["עברית.pdf", /\/_+\.pdf$/],
    ["Привет мир.csv", /\/_+\.csv$/],
    ["ไทย.csv", /\/_+\.csv$/],
    ["हिन्दी.csv", /\/_+\.csv$/],
    ["😀👩‍👩‍👧.png", /\/_+\.png$/],
    ["e\u0301 (combining).txt", /\/e___combining_\.txt$/],
    ["invoice\u202Egpj.exe", /\/invoice_gpj\.exe$/],
    ["Ａ／Ｂ．txt", /\.bin$/],
    ["a%2Fb%00c.txt", /\/a_2fb_00c\.txt$/],
    ["'; drop table files; --.txt", /\/___drop_table_files__--\.txt$/],
    ["CON", /\/con\.bin$/],
  ])("the name %j is shown unchanged and stored as a safe one", async (filename, end) => {
    const at = await openFiles("memory");
    const { body } = await at.upload("upload_job_input_files/v1", { a: text(filename) });
    const [record] = body.files;
    expect(record.path).toMatch(end);
    expect(record.path).toMatch(/^[A-Za-z0-9_./-]+$/);
    // Characters that change the direction of text would make a program look like a picture.
    expect(record.filename).not.toMatch(/[\p{Cc}\p{Cf}/\\]/u);
    const answer = await at.get(`/${record.path}?download=${encodeURIComponent(filename)}`);
    const disposition = answer.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename="[^"\\]+"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/);
    expect([answer.status, answer.text]).toEqual([200, "content"]);
  });

  test("edge case 12: a name for the download cannot add a header or end its quoting", async () => {
    const at = await openFiles("memory");
    const { body } = await at.upload("upload_job_input_files/v1", { a: text("a.txt") });
    const hostile = ['x"\r\nSet-Cookie: a=1', "x\\", '";filename=evil.exe', "a\u0000b", "\u2028", "'".repeat(5000)];
    for (const name of hostile) {
      const { headers } = await at.get(`/${body.files[0].path}?download=${encodeURIComponent(name)}`);
      expect(headers.get("set-cookie")).toBeNull();
      expect(headers.get("content-disposition")).toMatch(/^attachment; filename="[^"\\\p{Cc}]{1,255}"/u);
    }
  });

  test("edge case 3: upload_job_file answers a key, the others files or addresses", async () => {
    const at = await openFiles("memory");
    const { id } = (await at.admin.post("run_event", { id: at.event })).body;
    const members = async (operation: string, fields: Sent) => Object.keys((await at.upload(operation, fields)).body);
    expect(await members("upload_job_file/v1", { id, file1: text("a") })).toEqual(["code", "key", "size"]);
    expect(await members("upload_job_input_files/v1", { a: text("a") })).toEqual(["code", "files"]);
    expect(await members("upload_files/v1", { a: text("a") })).toEqual(["code", "urls"]);
  });

  test("edge cases 1 and 4: an empty file is an error of every upload, with status 200 on paths without a version", async () => {
    const at = await openFiles("memory");
    const { id } = (await at.admin.post("run_event", { id: at.event })).body;
    const fields = { id: at.event, a: text("full.txt"), file1: text("empty.txt", "") };
    for (const operation of ["upload_files", "upload_job_input_files", "run_event"])
      for (const [version, status] of [
        ["", 200],
        ["/v1", 400],
      ] as const)
        expect(await at.upload(operation + version, fields)).toMatchObject({
          status,
          body: {
            code: "api",
            description: "File 'file1' is missing required size property, or is zero bytes.",
          },
        });
    expect((await at.upload("upload_job_file", { id, file1: text("e", "") })).body.code).toBe("api");
    expect(await at.stored()).toEqual([]);
  });

  test("an upload without a file says so", async () => {
    const at = await openFiles("memory");
    for (const operation of ["upload_files", "upload_job_input_files"])
      expect((await at.upload(`${operation}/v1`, { a: "no file" })).body).toEqual({
        code: "file",
        description: "No file upload data found in request.",
      });
  });
});

test("edge cases 8 and 9: a log is sent compressed to every caller, an event stream to none", async () => {
  const at = await openFiles("memory");
  const { id } = (await at.admin.post("run_event", { id: at.event })).body;
  await at.until(() => at.launched(id));
  at.server.send("job_log", { id, text: "Grüße\n" });
  at.server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
  await at.until(async () => (await at.job(id)).final === true);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    at.app.request(`/api/app/${path}`, { headers: { "x-api-key": KEY, ...headers } });
  for (const headers of [{}, { "accept-encoding": "gzip, br" }, { "accept-encoding": "identity" }]) {
    const log = await ask(`get_job_log/v1?id=${id}`, headers);
    expect(log.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await log.arrayBuffer()).toString()).toBe("Grüße\n");
  }
  const stream = await ask(`stream_job/v1?id=${id}`, { "accept-encoding": "gzip, br" });
  expect([stream.headers.get("content-type"), stream.headers.get("content-encoding")]).toEqual([
    "text/event-stream",
    null,
  ]);
  expect(await stream.text()).toMatch(/^event: start\ndata: \{\}\n\nevent: update\ndata: \{.*\}\n\nevent: end\n/);
});

test("edge case 11: HEAD of a missing file is 404 without a body", async () => {
  const at = await openFiles("memory");
  const { status, text: said } = await at.send("/files/ann/x/a.txt", { method: "HEAD" });
  expect([status, said]).toEqual([404, ""]);
});

test("a path that no longer exists is answered in plain text", async () => {
  const at = await openFiles("memory");
  const { status, text: said } = await at.get("/files/ann/x/a.txt");
  expect([status, said]).toEqual([404, "(File not found.)\n"]);
});

test("edge case 17: neither tokens nor the paths of files reach the log", async () => {
  const lines: string[] = [];
  const line = (fields: object, message: string) =>
    void lines.push(JSON.stringify({ ...fields, message, error: String((fields as { error?: unknown }).error) }));
  const log = { debug: line, info: line, warn: line, error: line };
  const memory = memoryBlobStore();
  const engine = createSignalbox({
    storage: memoryStorage(),
    secretKey: "a secret key for tests",
    blobs: memory,
    log,
    plugins: [quickKeys],
  });
  const { administratorKey = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const headers = { "x-api-key": administratorKey, "content-type": "application/json" };
  const random = "R4nd0m".repeat(7).concat("x");
  await app.request(`/api/app/stream_job/v1?id=j1&token=${random}`);
  await app.request(`/api/app/download_job_log/v1?id=j1&t=${random}`);
  await app.request(`/api/app/echo/v1?x=${random}`);
  await app.request(`/files/ann/${random}/a.txt`);
  const { event } = await engine.api.createEvent({
    ...{ title: "E", enabled: true, category: "general", plugin: "shellplug", targets: ["main"], algo: "random" },
    ...{ params: { script: "x" }, triggers: [{ type: "manual", enabled: true }] },
  });
  const files = [{ id: "f", filename: "a", path: `files/ann/${random}/a.txt`, size: 1 }];
  const body = JSON.stringify({ id: event.id, input: { files } });
  expect((await app.request("/api/app/run_event/v1", { method: "POST", headers, body })).status).toBe(400);
  expect(lines.join("\n")).toContain("files/ann/R4nd0mR4…/a.txt");
  expect(lines.join("\n")).not.toContain(random.slice(0, 9));
});
