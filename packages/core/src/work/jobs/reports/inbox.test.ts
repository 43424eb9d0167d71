import { describe, expect, test } from "vitest";
import { done, setUp } from "../../../../test/desk/inbox-setup.ts";
import { commands, launched } from "../../../testing/test-jobs.ts";

describe("a report of another server about a job", () => {
  const stranger = { hostname: "db01.example.internal", id: "s2", initial: { groups: ["db"] } };

  test("changes nothing, and is answered once with an abort", async () => {
    const at = await setUp();
    const other = await at.connect(stranger);
    for (let count = 0; count < 5; count++) await at.tell(done({ code: 9 }), other);
    other.send("job_log", { id: at.id, text: "forged\n" });
    other.send("job_meta", { id: at.id, text: "forged" });
    await at.clock.advance(2);
    expect(commands(other, "abort_job")).toEqual([
      { cmd: "abort_job", data: { id: at.id, reason: "Job is not assigned to this server." } },
    ]);
    expect(await at.read()).toMatchObject({ state: "active", log_file_size: 0 });
    expect(JSON.stringify(await at.read())).not.toContain("forged");
    expect(commands(at.server, "abort_job")).toEqual([]);
  });

  test("a report about a finished job changes nothing either", async () => {
    const at = await setUp();
    await at.signalbox.api.abortJob({ id: at.id });
    await at.settle();
    at.server.close();
    await at.clock.advance(130);
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
    const other = await at.connect(stranger);
    await at.tell(done(), other);
    expect(await at.read()).toMatchObject({ code: "abort" });
  });
});

describe("a report on a job without a record", () => {
  test("is answered once with an abort", async () => {
    const at = await setUp();
    for (let count = 0; count < 3; count++) at.server.send("jobs", { jgone: { state: "active" } });
    at.server.send("job_log", { id: "jgone", text: "x" });
    await at.settle();
    expect(commands(at.server, "abort_job")).toEqual([
      { cmd: "abort_job", data: { id: "jgone", reason: "Job is not active." } },
    ]);
  });

  test("gets no answer when the job is over", async () => {
    const at = await setUp();
    at.server.send("jobs", { jgone: done() });
    await at.settle();
    expect(commands(at.server, "abort_job")).toEqual([]);
  });

  test("for a finished job gets an abort if it says running", async () => {
    const at = await setUp();
    await at.tell(done());
    await at.tell({ state: "active" });
    expect(commands(at.server, "abort_job")).toMatchObject([{ data: { id: at.id } }]);
  });

  test.each(["J1", "../x", "", "x".repeat(65), "a\u0000b"])("the id %j is not looked up", async (id) => {
    const at = await setUp();
    at.server.send("jobs", JSON.parse(`{${JSON.stringify(id)}: {"state": "active"}}`));
    at.server.send("job_log", { id, text: "x" });
    await at.settle();
    expect(commands(at.server, "abort_job")).toEqual([]);
    expect(at.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("messages out of order", () => {
  test("a late reading does not bring a finishing job back", async () => {
    const at = await setUp();
    await at.tell({ state: "finishing" });
    await at.tell({ state: "active", progress: 0.5 });
    expect(await at.read()).toMatchObject({ state: "finishing" });
    await at.tell(done());
    expect(await at.read()).toMatchObject({ code: 0, final: true });
  });

  test("a job may end without a finishing state", async () => {
    const at = await setUp();
    await at.tell(done({ code: 4 }));
    expect(await at.read()).toMatchObject({ code: 4, final: true });
  });

  test("output that came before the end is in the log, all messages in one turn", async () => {
    const at = await setUp();
    for (let line = 0; line < 50; line++) at.server.send("job_log", { id: at.id, text: `line ${line}\n` });
    at.server.send("jobs", { [at.id]: { state: "active", push: { tickets: ["t1"] } } });
    at.server.send("jobs", { [at.id]: { state: "finishing", push: { tickets: ["t2"] } } });
    at.server.send("jobs", { [at.id]: done({ push: { tickets: ["t3"] } }) });
    at.server.send("job_log", { id: at.id, text: "too late\n" });
    await at.clock.advance(1);
    const job = await at.read();
    expect(String(job["output"]).split("\n")).toHaveLength(51);
    expect(job).toMatchObject({ final: true, tickets: ["t1", "t2", "t3"] });
    expect(job["output"]).not.toContain("too late");
  });

  test("an abort of the agent counts only when its process has ended", async () => {
    const at = await setUp();
    await at.tell({ state: "active", complete: true, code: "abort", description: "Aborting" });
    expect(await at.read()).toMatchObject({ state: "active" });
    await at.tell(done({ code: "abort", description: "Aborted" }));
    expect(await at.read()).toMatchObject({ code: "abort", description: "Aborted" });
  });

  test("the second final update changes nothing, and a different one only adds its output", async () => {
    const at = await setUp();
    const usage = { min: 1, max: 3, total: 4, count: 2, current: 3 };
    const output = {
      html: "<b>{{ job.event }}</b>",
      table: { rows: [["a"]] },
      perf: { db: 1 },
      progress: 0.7,
      own: "x",
    };
    const said = done({ ...output, data: { n: 1 }, cpu: usage, mem: usage, push: { tags: ["x"] }, description: "D" });
    await at.tell(said);
    const before = await at.read();
    expect(before).toMatchObject({ data: { n: 1 }, perf: { db: 1 } });
    await at.tell(said);
    expect(await at.read()).toEqual(before);
    await at.tell(done({ code: 5, data: { n: 2 } }));
    const after = await at.read();
    expect(after).toMatchObject({ code: 0, data: { n: 2 }, tags: before["tags"] });
    expect((after["activity"] as { msg: string }[]).at(-1)?.msg).toContain("another result later");
    await at.tell(done({ code: 5, data: { n: 2 } }));
    expect(await at.read()).toEqual(after);
  });
});

describe("a late result", () => {
  test("of a job that counted as dead makes it a warning", async () => {
    const at = await setUp();
    await at.clock.advance(125);
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
    await at.tell(done({ description: "Backup finished", data: { rows: 3 } }));
    expect(await at.read()).toMatchObject({
      code: "warning",
      data: { rows: 3 },
      description: expect.stringContaining("Backup finished"),
    });
  });

  test("of a job that was retried leaves two executions, both recorded", async () => {
    const at = await setUp({}, { limits: [{ enabled: true, type: "retry", amount: 1 }] });
    await at.clock.advance(125);
    const retry = launched(at.server).at(-1)?.job["id"];
    expect(retry).not.toBe(at.id);
    await at.tell(done());
    at.server.send("jobs", { [String(retry)]: done() });
    await at.settle();
    expect(await at.read()).toMatchObject({ code: "warning", retried: true });
    expect(await at.read(String(retry))).toMatchObject({ code: 0, final: true });
  });
});

describe("malformed messages", () => {
  test.each([null, 5, "x", [], [{ state: "complete" }]])("%o about all jobs is ignored", async (data) => {
    const at = await setUp();
    for (const cmd of ["jobs", "job_log", "job_meta"]) at.server.send(cmd, data);
    await at.settle();
    expect(await at.read()).toMatchObject({ state: "active" });
    expect(at.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test.each([
    null,
    5,
    "complete",
    [],
    { state: "COMPLETE" },
    { state: {} },
    { code: {}, push: 5, procs: [], html: { content: [] } },
  ])("the update %o leaves the job running", async (update) => {
    const at = await setUp();
    await at.tell(update);
    expect(await at.read()).toMatchObject({ state: "active", event: expect.any(String) });
    expect(at.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    await at.tell(done());
    expect(await at.read()).toMatchObject({ final: true, code: 0 });
  });

  test("text of a wrong type is no output", async () => {
    const at = await setUp();
    for (const text of [5, null, {}, ["x"]]) at.server.send("job_log", { id: at.id, text });
    await at.settle();
    expect(await at.read()).toMatchObject({ log_file_size: 0 });
  });

  test("a malformed pushed action does not prevent the end", async () => {
    const at = await setUp();
    await at.tell(
      done({
        push: {
          actions: [{ type: "tag", condition: 5, enabled: true }, null],
          limits: [{ type: "mem" }],
          tags: [{}, 5],
        },
      }),
    );
    expect(await at.read()).toMatchObject({ final: true, code: 0, actions: [], limits: [] });
  });
});

describe("a server that leaves", () => {
  test("makes its jobs silent, and its return makes them heard again", async () => {
    const at = await setUp();
    at.server.close();
    await at.settle();
    expect(await at.read()).toMatchObject({ state: "active", remote: false });
    expect((await at.read())["activity"]).toContainEqual(
      expect.objectContaining({ msg: "Server connection was lost" }),
    );
    const again = await at.connect();
    await at.tell({ state: "active", progress: 0.6 }, again);
    expect(await at.read()).toMatchObject({ state: "active", remote: true, progress: 0.6 });
    await at.tell(done(), again);
    expect(await at.read()).toMatchObject({ final: true, code: 0 });
  });

  test("gets the abort again on its return: the first message may have been lost with its connection", async () => {
    const at = await setUp();
    await at.signalbox.api.abortJob({ id: at.id });
    await at.settle();
    at.server.close();
    await at.settle();
    const again = await at.connect();
    const data = { id: at.id, reason: "Manually aborted by user: system" };
    expect(again.received.filter(({ cmd }) => cmd === "abort_job")).toEqual([{ cmd: "abort_job", data }]);
    await at.tell(done({ code: "abort" }), again);
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
  });

  test("permanently ends its jobs as dead, and a job that a user aborted is not retried", async () => {
    const limits = [{ enabled: true, type: "retry", amount: 3 }];
    const at = await setUp({}, { limits });
    await at.signalbox.api.abortJob({ id: at.id });
    await at.settle();
    at.server.close();
    await at.clock.advance(130);
    const job = await at.read();
    expect(job).toMatchObject({ code: "abort", description: "Manually aborted by user: system", final: true });
    expect(job).not.toHaveProperty("retried");
    expect((await at.signalbox.api.getActiveJobs()).rows).toEqual([]);
  });
});

test("an agent that keeps reporting after an abort is not waited for", async () => {
  const at = await setUp();
  await at.signalbox.api.abortJob({ id: at.id });
  for (let second = 0; second < 125; second++) {
    at.server.send("jobs", { [at.id]: { state: "active", progress: 0.5 } });
    await at.clock.advance(1);
  }
  expect(await at.read()).toMatchObject({ code: "abort", description: "Manually aborted by user: system" });
});
