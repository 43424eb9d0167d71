import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/engine.ts";
import { chunks, done, failing, jobToken, type Members, START, setUp } from "../../../../test/work/agent-call-setup.ts";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { launched } from "../../../testing/test-jobs.ts";

describe("finish_job", () => {
  test("accepts the same members as a final message", async () => {
    const at = await setUp();
    at.server.send("job_log", { id: at.id, text: "before the end\n" });
    const { key } = await at.upload();
    const [launch] = launched(at.server);
    await at.finish({
      ...launch?.job,
      ...done({ push: { tags: ["nightly"] }, data: { rows: 3 }, table: { rows: [[1]] }, cpu: { total: 2, count: 2 } }),
      files: [{ id: "f1", date: 1, filename: "report.csv", path: key, size: 99, server: "s1", job: at.id }],
    });
    expect(await at.read()).toMatchObject({
      final: true,
      code: 0,
      output: "before the end\n",
      data: { rows: 3 },
      files: [{ path: key, size: 4, filename: "report.csv" }],
    });
  });

  test("is applied once, however often it arrives", async () => {
    const at = await setUp();
    const completed: unknown[] = [];
    at.signalbox.events.on("job.completed", ({ id }) => void completed.push(id));
    const both = [at.finish(done({ code: 3 })), at.finish(done({ code: 3 }))];
    expect(await Promise.all(both)).toEqual([{}, {}]);
    const record = await at.read();
    expect(await at.finish(done({ code: 3 }))).toEqual({});
    expect(await at.read()).toEqual(record);
    expect(await at.finish(done({ code: 0, description: "Changed my mind" }))).toEqual({});
    const told = expect.objectContaining({ msg: expect.stringContaining("the first one stands (code 0)") });
    expect(await at.read()).toEqual({ ...record, activity: expect.arrayContaining([told]) });
    expect(completed).toEqual([at.id]);
  });

  test("after an abort without its agent is a late result", async () => {
    const at = await setUp();
    await at.api.abortJob({ id: at.id });
    await at.settle();
    at.server.close();
    await at.clock.advance(130);
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
    await at.finish(done({ code: 0, description: "Done after all" }));
    const record = await at.read();
    expect(record).toMatchObject({ code: "warning", late: true });
    expect(record.description).toContain("Done after all");
    await at.finish(done({ code: 0, description: "And again" }));
    expect(await at.read()).toEqual(record);
  });

  test("keeps every file record below the folder of the job, whether the file exists or not", async () => {
    // A store may know the time to a fraction of a second; the date of a file is in whole seconds.
    const at = await setUp({ blobs: memoryBlobStore({ clock: fakeClock(START + 0.5) }) });
    const { key } = await at.upload();
    await at.blobs.put("files/jobs/other/x/a.csv", chunks("x"));
    const gone = `files/jobs/${at.id}/x/gone.csv`;
    const odd = `files/jobs/${at.id}/not a key.csv`;
    const sent = [
      { path: key, filename: "a", size: 99, date: 1 },
      { path: `files/jobs/other/../${at.id}/x/gone.csv`, filename: "b", size: 7, date: 2 },
      { path: odd, filename: "c", size: 8, date: 3 },
      { path: "files/jobs/other/x/a.csv", filename: "d" },
      { path: `files/jobs/${at.id}/../other/x/a.csv`, filename: "e" },
    ];
    await at.finish(done({ files: [...sent, "text", null] }));
    const record = await at.read();
    expect(record["files"]).toEqual([
      { path: key, filename: "a", size: 4, date: START },
      { path: gone, filename: "b", size: 7, date: 2 },
      { path: odd, filename: "c", size: 8, date: 3 },
    ]);
    expect(JSON.stringify(record["activity"])).toContain("Ignoring 4 output files that are not the job's own");
  });

  test.each(["jobs", "finish"] as const)("and %s treat missing files in the same way", async (way) => {
    const at = await setUp();
    const file = { path: `files/jobs/${at.id}/x/gone.csv`, filename: "a", size: 3 };
    const update = done({ files: [file] });
    if (way === "finish") await at.finish(update);
    else at.server.send("jobs", { [at.id]: update });
    await at.settle();
    expect(await at.read()).toMatchObject({ final: true, files: [file] });
  });

  test("ends the job whatever state it names, and changes nothing that the agent may not", async () => {
    const at = await setUp();
    await at.finish({ state: "active", code: 0, username: "evil", event: "evil", server: "s9", id: "j9", tags: ["x"] });
    const record = await at.read();
    expect(record).toMatchObject({ state: "complete", server: "s1", id: at.id });
    expect(JSON.stringify(record)).not.toContain("evil");
  });

  test("is refused for jobs that are unknown or have no server", async () => {
    const at = await setUp();
    const unknown = { id: "jnone", auth: jobToken("jnone") };
    expect(await refusalOf(at.finish(done(), unknown))).toEqual({ code: "job", description: "Job not found: jnone" });
    expect(await refusalOf(at.upload(unknown))).toEqual({ code: "job", description: "Job not found: jnone" });
    const event = await at.event({
      limits: [
        { enabled: true, type: "job", amount: 1 },
        { enabled: true, type: "queue", amount: 9 },
      ],
    });
    await at.api.runEvent({ id: event });
    const { id } = await at.api.runEvent({ id: event });
    await at.settle();
    expect(await at.read(id)).toMatchObject({ state: "queued" });
    expect(await refusalOf(at.finish(done(), { id, auth: jobToken(id) }))).toEqual({
      code: "job",
      description: `Job is not running on a server: ${id}`,
    });
  });

  test.each<[Members, string]>([
    [{ job: "text" }, "Parameter is not type object: job"],
    [{ job: undefined }, "Missing parameter: job"],
    [{ auth: "a b" }, "Malformed parameter: auth"],
    [{ server: "../s1" }, "Malformed parameter: server"],
    [{ id: "../j1" }, "Malformed parameter: id"],
  ])("%j is malformed", async (change, description) => {
    const at = await setUp();
    expect(await refusalOf(at.finish(done(), change))).toEqual({ code: "api", description });
  });

  test.each(["everything", "writes"] as const)("asks to come back while %s fails, and loses nothing", async (what) => {
    const { clock, state, storage } = failing(what);
    const at = await setUp({ clock, storage });
    state.isDown = true;
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(at.finish(done({ code: 4, push: { tags: ["flag"] } }))).rejects.toMatchObject({
        code: "job",
        reason: "unavailable",
      });
    state.isDown = false;
    expect(await at.finish(done({ code: 4, push: { tags: ["flag"] } }))).toEqual({});
    const record = await at.read();
    expect(record).toMatchObject({ final: true, code: 4 });
    expect((record["tags"] as string[]).filter((tag) => tag === "flag")).toHaveLength(1);
  });

  test("asks to come back while the file store is unavailable", async () => {
    const blobs = memoryBlobStore();
    let isDown = false;
    const head: BlobStore["head"] = (key) => (isDown ? Promise.reject(new Error("gone")) : blobs.head(key));
    const at = await setUp({ blobs: { ...blobs, head } });
    const { key } = await at.upload();
    const update = done({ files: [{ path: key, filename: "a" }] });
    isDown = true;
    await expect(at.finish(update)).rejects.toMatchObject({ reason: "unavailable" });
    isDown = false;
    await at.finish(update);
    expect(await at.read()).toMatchObject({ files: [{ path: key }] });
  });

  test("hides the values of secrets like every update", async () => {
    const at = await setUp();
    await at.api.createSecret({
      id: "z1",
      title: "Z",
      plugins: ["shellplug"],
      fields: [{ name: "T", value: "tok3n-value", mask: true }],
    } as never);
    const { id } = await at.api.runEvent({ id: await at.event() });
    await at.settle();
    await at.finish(done({ description: "It is tok3n-value" }), { id, auth: jobToken(id) });
    expect(JSON.stringify(await at.read(id))).not.toContain("tok3n-value");
  });
});
