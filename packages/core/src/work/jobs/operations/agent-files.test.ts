import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import {
  chunks,
  done,
  jobToken,
  type Members,
  REFUSED,
  runnerToken,
  serverToken,
  setUp,
} from "../../../../test/work/agent-call-setup.ts";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";

describe("senders of a job's result", () => {
  test.each<[string, (job: string) => Members]>([
    ["the server with its token", () => ({ server: "s1", auth: serverToken() })],
    ["a runner of the server", (job) => ({ server: "s1", auth: runnerToken(job) })],
    ["the holder of the job's token", (job) => ({ auth: jobToken(job) })],
  ])("%s is accepted", async (_who, credentials) => {
    const at = await setUp();
    expect(await at.finish(done({ description: "Fine" }), credentials(at.id))).toEqual({});
    expect(await at.read()).toMatchObject({ final: true, code: 0, description: "Fine" });
  });

  test("an API key in `auth`, or beside it, is accepted", async () => {
    const at = await setUp();
    const { plain_key: auth } = await at.api.createApiKey({ title: "Runner" });
    expect(await at.finish(done({ code: 5 }), { auth })).toEqual({});
    expect(await at.read()).toMatchObject({ code: 5 });
    const next = await setUp();
    const actor = keyWith([]);
    await next.finish(done(), { auth: "unknown" }, actor);
    expect(await next.read()).toMatchObject({ code: 0 });
  });

  test.each<[string, Members]>([
    ["its event", { update_event: { notes: "changed" } }],
    ["the data of its server", { serverData: { a: 1 } }],
    ["an alert", { clear_alert: "a1" }],
    ["another event", { push: { actions: [{ enabled: true, condition: "complete", type: "run_event" }] } }],
  ])("only callers who may edit all events end a job with an effect on %s", async (_what, effect) => {
    const at = await setUp();
    const refused = [keyWith([]), keyWith(["run_jobs"]), keyWith(["edit_events"], { categories: ["general"] })];
    for (const actor of refused)
      expect(await refusalOf(at.finish(done(effect), {}, actor))).toMatchObject({ code: "access" });
    expect(await at.read()).toMatchObject({ state: "active" });
    await at.finish(done(effect), {}, keyWith(["edit_events"]));
    await at.settle(1);
    expect(await at.read()).toMatchObject({ final: true });
    const next = await setUp();
    await next.finish(done(effect));
    await next.settle(1);
    expect(await next.read()).toMatchObject({ final: true });
  });

  test.each<[string, (job: string) => Members]>([
    ["an unknown token", () => ({ auth: "0".repeat(64) })],
    ["no token", () => ({ auth: undefined })],
    ["the token of another job", () => ({ auth: jobToken("j2") })],
    ["the token of a server without its name", () => ({ auth: serverToken() })],
    ["the token of another server", () => ({ server: "s1", auth: serverToken("s2") })],
    ["a runner of another job", () => ({ server: "s1", auth: runnerToken("j2") })],
    ["the token of the job in the name of a server", (job) => ({ server: "s1", auth: jobToken(job) })],
    ["another server with its own token", () => ({ server: "s2", auth: serverToken("s2") })],
  ])("%s is refused", async (_who, credentials) => {
    const at = await setUp();
    await at.connect({ id: "s2", hostname: "web02.example.internal" });
    expect(await refusalOf(at.finish(done(), credentials(at.id)))).toEqual(REFUSED);
    expect(await refusalOf(at.upload(credentials(at.id)))).toEqual(REFUSED);
    expect(await at.read()).toMatchObject({ state: "active" });
    expect(await at.stored()).toEqual([]);
  });

  test("a key limited to another category or group is refused", async () => {
    const at = await setUp();
    for (const limits of [{ categories: ["beta"] }, { groups: ["other"] }]) {
      expect((await refusalOf(at.finish(done(), {}, keyWith([], limits)))).code).toBe("access");
      expect((await refusalOf(at.upload({}, { actor: keyWith([], limits) }))).code).toBe("access");
    }
  });

  test("a server that is not connected is asked for another attempt", async () => {
    const at = await setUp();
    at.server.close();
    await at.settle();
    const own = { server: "s1", auth: serverToken() };
    await expect(at.finish(done(), own)).rejects.toMatchObject({ ...REFUSED, reason: "unavailable" });
    await expect(at.upload(own)).rejects.toMatchObject({ ...REFUSED, reason: "unavailable" });
    await expect(at.finish(done(), { ...own, auth: "wrong" })).rejects.toMatchObject({ reason: "denied" });
    await at.connect();
    await at.finish(done(), own);
    expect(await at.read()).toMatchObject({ final: true, code: 0 });
  });
});

describe("upload_job_file", () => {
  test("stores the file below the job, under an unguessable path", async () => {
    const at = await setUp();
    const { key, size } = await at.upload();
    expect(key).toMatch(new RegExp(`^files/jobs/${at.id}/[\\w-]{43}/report_1.csv$`));
    expect(size).toBe(4);
    const blob = await at.blobs.get(key);
    expect(Buffer.concat(await Array.fromAsync(blob?.content ?? [])).toString()).toBe("a,1\n");
    expect((await at.upload()).key).not.toBe(key);
  });

  test("accepts late files", async () => {
    const at = await setUp();
    await at.finish(done());
    expect((await at.upload({ server: "s1", auth: serverToken() })).size).toBe(4);
  });

  test("refuses files for a job that leaves no record", async () => {
    const at = await setUp({}, { ephemeral: true });
    await at.finish(done());
    expect(await refusalOf(at.upload())).toEqual({ code: "job", description: `Job not found: ${at.id}` });
    expect(await at.finish(done())).toEqual({});
  });

  test("needs its field", async () => {
    const at = await setUp();
    expect(await refusalOf(at.upload({}, { field: "file2" }))).toEqual({
      code: "job",
      description: "File upload data not found",
    });
    expect(await at.stored()).toEqual([]);
  });

  test("leaves nothing when the job is deleted meanwhile", async () => {
    const blobs = memoryBlobStore();
    const gate: { during?: () => Promise<void> } = {};
    const move: BlobStore["move"] = async (from, to) => {
      const info = await blobs.move?.(from, to);
      await gate.during?.();
      return info;
    };
    const at = await setUp({ blobs: { ...blobs, move } });
    await at.finish(done());
    gate.during = async () => {
      await at.api.deleteJob({ id: at.id });
    };
    expect(await refusalOf(at.upload())).toEqual({ code: "job", description: `Job not found: ${at.id}` });
    expect(await at.stored()).toEqual([]);
  });

  test("leaves nothing when the store fails, and says so without details", async () => {
    const blobs = memoryBlobStore();
    const move = () => Promise.reject(new Error("no room in /secret"));
    const at = await setUp({ blobs: { ...blobs, move } });
    await expect(at.upload()).rejects.toMatchObject({
      code: "file",
      reason: "unavailable",
      message: "Failed to process uploaded file: it could not be stored",
    });
    expect(await at.stored()).toEqual([]);
  });

  test("a job has a thousand files at most", async () => {
    const at = await setUp();
    for (let n = 0; n < 1000; n++) await at.blobs.put(`files/jobs/${at.id}/x/${n}`, chunks("x"));
    expect((await refusalOf(at.upload())).code).toBe("file");
  });

  test("files are deleted with their job", async () => {
    const at = await setUp();
    const { key } = await at.upload();
    await at.finish(done({ files: [{ path: key, filename: "a" }] }));
    await at.blobs.put("files/jobs/other/x/a.csv", chunks("x"));
    await at.api.deleteJob({ id: at.id });
    await at.settle(1);
    expect(await at.stored()).toEqual(["files/jobs/other/x/a.csv"]);
  });
});
