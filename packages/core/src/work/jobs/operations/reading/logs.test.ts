import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../../test/engine.ts";
import { type Actor, anonymous } from "../../../../kernel/calls/context.ts";
import type { StreamResult } from "../../../../kernel/calls/operation.ts";
import { startJobs } from "../../../../testing/test-jobs.ts";
import { downloadToken } from "../../access/rules/tokens.ts";

type Members = Record<string, unknown>;

async function setUp(config: Members = {}) {
  const jobs = await startJobs({ config });
  const { api, execute } = jobs.signalbox;
  const server = await jobs.connect();
  return {
    ...jobs,
    ...jobs.signalbox,
    server,
    async start(members: Members = {}): Promise<string> {
      const { id } = await api.runEvent({ id: await jobs.event(members) });
      await jobs.settle();
      return id;
    },
    async print(id: string, ...texts: string[]) {
      for (const text of texts) server.send("job_log", { id, text });
      await jobs.settle(0);
    },
    async end(id: string, update: Members = {}) {
      server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...update } });
      await jobs.settle();
    },
    /** Resolves once the log is in the blob store; it is compressed in another thread. */
    async archived(id: string) {
      while (!(await api.getJob({ id })).job["log_uploaded"]) await new Promise(setImmediate);
    },
    /** Opens a link as a browser does: without credentials. */
    open: (operation: string, input: Members) =>
      execute({ operation, input, actor: anonymous }) as Promise<StreamResult>,
  };
}

const bytesOf = async ({ body }: StreamResult): Promise<Buffer> => Buffer.concat(await Array.fromAsync(body ?? []));
const textOf = async (result: StreamResult): Promise<string> => (await bytesOf(result)).toString();
const tokenOf = (id: string): string => downloadToken(id, "EXAMPLE_CLUSTER_KEY");

const GZIP = {
  contentType: "text/plain; charset=utf-8",
  headers: { "Content-Encoding": "gzip", "Cache-Control": "private" },
};
const PLAIN = { contentType: "text/plain; charset=utf-8", headers: { "Cache-Control": "private" } };

describe("get_job_log", () => {
  test("of a small log is compressed as well", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.print(id, "one\n", "zwölf\n");
    await at.end(id);
    const result = await at.as(keyWith([])).getJobLog({ id });
    expect(result).toMatchObject(GZIP);
    expect(gunzipSync(await bytesOf(result)).toString()).toBe("one\nzwölf\n");
  });

  test("of a large log is sent as stored in the blob store", async () => {
    const at = await setUp({ max_inline_job_log_size: 10 });
    const id = await at.start();
    await at.print(id, "one\n".repeat(10));
    await at.end(id);
    await at.archived(id);
    expect((await at.api.getJob({ id })).job).toMatchObject({ log_uploaded: true, log_file_size: 40 });
    const result = await at.api.getJobLog({ id });
    expect(result).toMatchObject(GZIP);
    expect(gunzipSync(await bytesOf(result)).toString()).toBe("one\n".repeat(10));
  });

  test("is inline up to the size that the configuration has at the end of the job", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.print(id, "one\n".repeat(10));
    await at.api.adminUpdateConfig({ max_inline_job_log_size: 10 } as never);
    await at.end(id);
    await at.archived(id);
    expect((await at.api.getJob({ id })).job).toMatchObject({ log_uploaded: true, log_file_size: 40 });
  });

  test("is empty with status 204 when there is none", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.end(id);
    const result = await at.api.getJobLog({ id });
    expect([result.status, result.body]).toEqual([204, undefined]);
  });

  test("of a job without a record is kept for a minute, except a large one", async () => {
    const at = await setUp({ max_inline_job_log_size: 10 });
    const [small, large] = [await at.start({ ephemeral: true }), await at.start({ ephemeral: true })];
    await at.print(small, "one\n");
    await at.print(large, "one\n".repeat(10));
    for (const id of [small, large]) await at.end(id);
    await at.settle(5);
    expect(gunzipSync(await bytesOf(await at.api.getJobLog({ id: small }))).toString()).toBe("one\n");
    const result = await at.api.getJobLog({ id: large });
    expect([result.status, result.body]).toEqual([204, undefined]);
    expect(await at.open("download_job_log", { id: large, t: tokenOf(large) })).toMatchObject({ status: 404 });
    await at.clock.advance(70);
    expect((await refusalOf(at.api.getJobLog({ id: small }))).code).toBe("notfound");
  });

  test("of a failed job without output is its description", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.end(id, { code: 1, description: "No disk" });
    expect(gunzipSync(await bytesOf(await at.api.getJobLog({ id }))).toString()).toBe("No disk\n");
  });

  test.each(["running", "unknown"])("of an %s job is not found", async (which) => {
    const at = await setUp();
    const id = which === "running" ? await at.start() : "nope";
    expect(await refusalOf(at.api.getJobLog({ id }))).toEqual({
      code: "notfound",
      description: `Failed to load job details: ${id}: Error: Item not found`,
    });
  });

  test.each<[string, Actor, string, string]>([
    ["nobody", anonymous, "session", "No Session ID or API Key could be found"],
    [
      "a caller for another category",
      keyWith([], { categories: ["other"] }),
      "access",
      "You do not have the required account privileges to access category ID general.",
    ],
    [
      "a caller for another group",
      keyWith([], { groups: ["web"] }),
      "access",
      "You do not have the required account privileges to access targets: main.",
    ],
  ])("is refused to %s", async (_who, actor, code, description) => {
    const at = await setUp();
    const id = await at.start();
    await at.print(id, "secret\n");
    await at.end(id);
    expect(await refusalOf(at.as(actor).getJobLog({ id }))).toEqual({ code, description });
  });
});

describe.each([
  ["download_job_log", true],
  ["view_job_log", false],
])("%s", (operation, isAttachment) => {
  const disposition = (name: string): string | undefined => (isAttachment ? `attachment; filename=${name}` : undefined);

  test("shows a finished log to anyone who has its token", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.print(id, "one\n");
    await at.end(id);
    const { token } = await at.api.getJob({ id });
    const result = await at.open(operation, { id, t: token });
    expect(result).toMatchObject(PLAIN);
    expect(result.headers?.["Content-Encoding"]).toBeUndefined();
    expect(result.headers?.["Content-Disposition"]).toBe(disposition(`xyOps-Job-Log-${id}.txt`));
    expect(await textOf(result)).toBe("one\n");
  });

  test("leaves a compressed log compressed", async () => {
    const at = await setUp({ max_inline_job_log_size: 1 });
    const id = await at.start();
    await at.print(id, "one\n");
    await at.end(id);
    await at.archived(id);
    const result = await at.open(operation, { id, t: tokenOf(id) });
    expect(result).toMatchObject(GZIP);
    expect(gunzipSync(await bytesOf(result)).toString()).toBe("one\n");
  });

  test("shows the output of a running job so far", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.print(id, "one\n", "two\n");
    const result = await at.open(operation, { id, t: tokenOf(id) });
    expect(result).toMatchObject(PLAIN);
    expect(result.headers?.["Content-Disposition"]).toBe(disposition(`xyOps-Partial-Job-Log-${id}.txt`));
    expect(await textOf(result)).toBe("one\ntwo\n");
  });

  test.each([
    ["wrong", "x".repeat(22)],
    ["of another length", "x"],
    ["of another job", tokenOf("j9")],
  ])("refuses a token that is %s, for known and unknown jobs", async (_kind, t) => {
    const at = await setUp();
    for (const id of [await at.start(), "nope"]) {
      const result = await at.open(operation, { id, t });
      expect([result.status, result.contentType]).toEqual([403, "text/plain; charset=utf-8"]);
      expect(await textOf(result)).toBe("(Authentication failed.)\n");
    }
  });

  test("says that there is no job, or no log", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.end(id);
    const unknown = await at.open(operation, { id: "nope", t: tokenOf("nope") });
    expect([unknown.status, await textOf(unknown)]).toEqual([404, "(Job not found.)\n"]);
    const empty = await at.open(operation, { id, t: tokenOf(id) });
    expect([empty.status, await textOf(empty)]).toEqual([404, "(Job has no log.)\n"]);
  });

  test.each([
    [{ id: "j1" }, "Missing parameter: t"],
    [{ t: "x" }, "Missing parameter: id"],
    [{ id: "../j1", t: "x" }, "Malformed parameter: id"],
    [{ id: "j1", t: "a b" }, "Malformed parameter: t"],
    [{ id: "j1", t: ["x"] }, "Parameter is not type string: t"],
  ])("%j is refused", async (input, description) => {
    const at = await setUp();
    expect(await refusalOf(at.open(operation, input))).toEqual({ code: "api", description });
  });
});

describe("tail_live_job_log", () => {
  test("is the end of a running job's output, beginning at a line", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.print(id, "one\n", "two\n", "three\n");
    expect(await at.api.tailLiveJobLog({ id })).toEqual({ text: "one\ntwo\nthree\n", end: 14 });
    expect(await at.api.tailLiveJobLog({ id, bytes: 8 })).toEqual({ text: "three\n", end: 14 });
    expect(await at.api.tailLiveJobLog({ id, bytes: "11" as never })).toEqual({ text: "two\nthree\n", end: 14 });
  });

  test.each(["ten", "10x", "1.5", "-1", "1e3", " 10", "", 1.5, true, [10], {}])(
    "refuses %j as bytes",
    async (bytes) => {
      const at = await setUp();
      expect(await refusalOf(at.api.tailLiveJobLog({ id: "j1", bytes: bytes as never }))).toEqual({
        code: "api",
        description: "Malformed parameter value: bytes",
      });
    },
  );

  test.each([0, -1, 1_048_577])("refuses %d bytes", async (bytes) => {
    const at = await setUp();
    expect(await refusalOf(at.api.tailLiveJobLog({ id: "j1", bytes }))).toEqual({
      code: "api",
      description: "Requested byte count out of range (1 - 1048576)",
    });
  });

  test("is empty for a job that is not active", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.print(id, "one\n");
    await at.end(id);
    expect(await at.api.tailLiveJobLog({ id })).toEqual({ text: "" });
    expect(await at.api.tailLiveJobLog({ id: "nope", bytes: 1_048_576 })).toEqual({ text: "" });
  });

  test("is refused for callers of another group", async () => {
    const at = await setUp();
    const id = await at.start();
    const refusal = await refusalOf(at.as(keyWith([], { groups: ["web"] })).tailLiveJobLog({ id }));
    expect(refusal.code).toBe("access");
  });
});
