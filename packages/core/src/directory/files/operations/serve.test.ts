import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { recordingLogger } from "../../../../test/engine.ts";
import type { ConfigInput } from "../../../engine/config.ts";
import { createSignalbox, type Signalbox } from "../../../engine/signalbox.ts";
import { localClient } from "../../../kernel/calls/context.ts";
import type { StreamResult } from "../../../kernel/calls/operation.ts";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";

const START = 1_800_000_000;
const DATE = "Fri, 15 Jan 2027 08:00:00 GMT";
const TAG = `"10-${START}"`;

interface Sent {
  readonly path?: string;
  readonly download?: string;
}

const engines: Pick<Signalbox, "stop">[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
});
async function setUp(blobs: BlobStore = memoryBlobStore({ clock: fakeClock(START) }), config: ConfigInput = {}) {
  const log = recordingLogger();
  const secretKey = "correct horse battery staple";
  const engine = createSignalbox({ storage: memoryStorage(), secretKey, blobs, config, log });
  engines.push(engine);
  const { administratorKey = "" } = await engine.start();
  const ask = async (input: Sent, headers: Record<string, string> = {}, method = "GET") => {
    const client = { ...localClient, headers, method };
    const result = (await engine.execute({ operation: "file", input, client })) as StreamResult;
    const { status = 200, body = [], contentType, headers: sent = {} } = result;
    const text = Buffer.concat(await Array.fromAsync(body)).toString();
    return { status, text, contentType, headers: sent };
  };
  const put = (key: string, text = "0123456789") =>
    blobs.put(
      key,
      (async function* () {
        yield Buffer.from(text);
      })(),
    );
  return { ask, put, log, engine, administratorKey };
}

let at: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => {
  at = await setUp();
  await at.put("files/jobs/j1/x/a.csv");
  await at.put("files/jobs/j1/x/page.html");
  await at.put("logs/jobs/j1/log.txt.gz");
});
const CSV = { path: "jobs/j1/x/a.csv" };

describe("a stored file", () => {
  test("comes with its type, size and safe headers", async () => {
    expect(await at.ask(CSV)).toEqual({
      status: 200,
      text: "0123456789",
      contentType: "text/csv",
      headers: {
        "Accept-Ranges": "bytes",
        "Cache-Control": "public, max-age=0",
        "Content-Length": "10",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        ETag: TAG,
        "Last-Modified": DATE,
        "X-Content-Type-Options": "nosniff",
      },
    });
  });

  test("has the same headers and no body for HEAD", async () => {
    const { text, headers } = await at.ask(CSV, {}, "HEAD");
    expect([text, headers["Content-Length"]]).toEqual(["", "10"]);
  });

  test.each<[string, number, string, string | undefined]>([
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=4-", 206, "456789", "bytes 4-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=-30", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=8-99999999999999999999", 206, "89", "bytes 8-9/10"],
    ["bytes=9-9", 206, "9", "bytes 9-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=5-4", 416, "", "bytes */10"],
    ["bytes=-0", 416, "", "bytes */10"],
    ["bytes=0-1,3-4", 416, "", "bytes */10"],
    ["bytes=-", 416, "", "bytes */10"],
    ["bytes=a-b", 416, "", "bytes */10"],
    ["items=0-1", 416, "", "bytes */10"],
  ])("answers the range %s with %i", async (range, status, text, contentRange) => {
    const answer = await at.ask(CSV, { range });
    expect([answer.status, answer.text, answer.headers["Content-Range"]]).toEqual([status, text, contentRange]);
    if (status === 206) expect(answer.headers["Content-Length"]).toBe(String(text.length));
  });

  test.each<[string, Record<string, string>, number]>([
    ["the same tag", { "if-none-match": TAG }, 304],
    ["a weak one among others", { "if-none-match": `"x", W/${TAG}` }, 304],
    ["another tag", { "if-none-match": '"10-1"' }, 200],
    ["the same date", { "if-modified-since": DATE }, 304],
    ["an older date", { "if-modified-since": "Fri, 15 Jan 2027 07:59:59 GMT" }, 200],
    ["no date at all", { "if-modified-since": "yesterday" }, 200],
    ["a tag without its date", { "if-none-match": TAG, "if-modified-since": "Thu, 01 Jan 1970 00:00:00 GMT" }, 200],
    ["a range under the same tag", { range: "bytes=0-1", "if-range": TAG }, 206],
    ["a range under another tag", { range: "bytes=0-1", "if-range": '"10-1"' }, 200],
  ])("with %s is answered by rule", async (_what, headers, status) => {
    expect((await at.ask(CSV, headers)).status).toBe(status);
  });
});

describe("the name for the browser", () => {
  test.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ["0", undefined],
    ["1", 'attachment; filename="a.csv"'],
    ["my file.csv", 'attachment; filename="my file.csv"'],
    ['a"b\\c\r\nX-Evil: 1', 'attachment; filename="abcX-Evil: 1"'],
    ["Größe.csv", "attachment; filename=\"Gr__e.csv\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.csv"],
    ['"\n"', 'attachment; filename="a.csv"'],
  ])("download=%j gives %s", async (download, disposition) => {
    const answer = await at.ask({ ...CSV, ...(download === undefined ? {} : { download }) });
    expect(answer.headers["Content-Disposition"]).toBe(disposition);
  });

  test.each(["html", "HTM", "svg", "xhtml", "xml", "js", "mjs"])("a file .%s is never shown", async (ending) => {
    const path = `u/x/page.${ending}`;
    await at.put(`files/${path}`);
    const names = await Promise.all(
      (
        [
          ["GET", {}],
          ["HEAD", {}],
          ["GET", { range: "bytes=0-1" }],
        ] as const
      ).map(async ([method, headers]) => (await at.ask({ path }, headers, method)).headers["Content-Disposition"]),
    );
    expect(names).toEqual(Array(3).fill(`attachment; filename="page.${ending}"`));
  });
});

test("a file that is replaced during a request is answered with one of its contents", async () => {
  const clock = fakeClock(START);
  const blobs = memoryBlobStore({ clock });
  const head: BlobStore["head"] = async (key) => {
    const info = await blobs.head(key);
    if (clock.now() === START) {
      await clock.advance(5);
      await put("files/a/b/c.txt", "newer text");
    }
    return info;
  };
  const { ask, put } = await setUp({ ...blobs, head });
  await put("files/a/b/c.txt", "old");
  const { text, headers } = await ask({ path: "a/b/c.txt" });
  expect([text, headers["Content-Length"], headers["ETag"]]).toEqual(["newer text", "10", `"10-${START + 5}"`]);
});

describe("guessable paths", () => {
  const closed: ConfigInput = { files: { require_auth_for_plain_paths: true } };

  test("are public by default", async () => {
    await at.put("files/ann/report.csv");
    expect(await at.ask({ path: "ann/report.csv" })).toMatchObject({
      status: 200,
      headers: { "Cache-Control": "public, max-age=0" },
    });
  });

  test.each([
    ["ann/report.csv", 403],
    ["ann/nothing.csv", 403],
    ["ann/Abc/report.csv", 200],
    ["jobs/j1/Abc/report.csv", 200],
    ["../secret", 404],
  ])("closed paths: %s is answered %i without credentials", async (path, status) => {
    const { ask, put } = await setUp(undefined, closed);
    for (const key of ["files/ann/report.csv", "files/ann/Abc/report.csv", "files/jobs/j1/Abc/report.csv"])
      await put(key);
    expect((await ask({ path })).status).toBe(status);
    expect((await ask({ path }, {}, "HEAD")).status).toBe(status);
  });

  test("closed paths work for every known caller, but not with a wrong key", async () => {
    const { engine, put, administratorKey } = await setUp(undefined, closed);
    await put("files/ann/report.csv");
    const status = async (apiKey: string) => {
      const call = { operation: "file", input: { path: "ann/report.csv" }, client: localClient };
      return ((await engine.execute({ ...call, credentials: { apiKey } })) as StreamResult).status;
    };
    expect([await status(administratorKey), await status("wrong")]).toEqual([undefined, 403]);
  });
});

describe("paths that name no file", () => {
  test.each([
    ...["jobs/j1/x/b.csv", "jobs/j1/x", "jobs/j1/x/", "jobs/j1/x/a.csv/", "../logs/jobs/j1/log.txt.gz"],
    ...[
      "x/../../logs/jobs/j1/log.txt.gz",
      "/etc/passwd",
      "jobs//j1/x/a.csv",
      "jobs\\j1",
      "a\0b",
      "logs/jobs/j1/log.txt.gz",
    ],
  ])("%j is not found", async (path) => {
    const { status, text } = await at.ask({ path });
    expect([status, text]).toEqual([404, "(File not found.)\n"]);
  });

  test("no path is a malformed request", async () => {
    expect((await at.ask({})).status).toBe(400);
  });

  test("a store that fails answers 500 and logs no path", async () => {
    const blobs = memoryBlobStore();
    const broken = await setUp({ ...blobs, head: () => Promise.reject(new Error("The disk is gone")) });
    expect((await broken.ask(CSV)).status).toBe(500);
    expect(broken.log.lines).toMatchObject([{ level: "error", message: "A stored file could not be read" }]);
    expect(JSON.stringify(broken.log.lines)).not.toContain("a.csv");
  });
});
