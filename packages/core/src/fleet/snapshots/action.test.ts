import { describe, expect, test } from "vitest";
import { cradleProbe, recordingLogger } from "../../../test/engine.ts";
import { minuteData } from "../../../test/fleet/snapshot-setup.ts";
import type { ConfigInput } from "../../engine/config.ts";
import type { Logger } from "../../ports/logger.ts";
import { startJobs, type TestJobs } from "../../testing/test-jobs.ts";
import { invocationCollection } from "../alerts/collection.ts";
import { snapshotCollection } from "./collection.ts";

const taken = ({ storage }: TestJobs) => storage.read((tx) => tx.collection(snapshotCollection).list());

const LINE = ["job", "queue"].map((type) => ({ enabled: true, type, amount: 1 }));

async function setUp(config: ConfigInput = {}, log: Logger = recordingLogger()) {
  const probe = cradleProbe();
  const jobs = await startJobs({ plugins: [probe.plugin], config, log });
  const server = await jobs.connect();
  const minute = async (data: object = minuteData): Promise<void> => {
    await jobs.clock.advanceTo(Math.floor(jobs.clock.now() / 60) * 60 + 61);
    const stored = jobs.next("server.minute");
    server.send("monitor", { version: "1.0", date: jobs.clock.now(), data });
    await stored;
  };
  const end = async (id: string, members: object): Promise<Record<string, unknown>> => {
    server.send("jobs", { [id]: { state: "complete", complete: true, ...members } });
    await jobs.settle(2);
    await jobs.settle(2);
    return (await jobs.signalbox.api.getJob({ id })).job;
  };
  return { ...jobs, ...probe, server, minute, end, [Symbol.asyncDispose]: () => jobs.signalbox.stop() };
}

const universal: ConfigInput = {
  job_universal_actions: { default: [{ enabled: true, condition: "error", type: "snapshot" }], workflow: [] },
};

describe("jobs", () => {
  test("a failed job takes the snapshot that the configuration asks for by default", async () => {
    await using at = await setUp(universal);
    await at.minute();
    const { id } = await at.signalbox.api.runEvent({ id: await at.event() });
    await at.settle();
    const job = await at.end(id, { code: 1, description: "disk full" });
    const [snapshot] = await taken(at);
    expect(snapshot).toMatchObject({ type: "server", source: "job", server: "s1", jobs: [id] });
    expect(job["actions"]).toMatchObject([
      {
        ...{ type: "snapshot", source: "universal", code: 0, loc: `#Snapshots?id=${snapshot?.id}` },
        description: `Took snapshot ${snapshot?.id} of server web01.example.internal.`,
        details: expect.stringContaining(`[${snapshot?.id}](#Snapshots?id=${snapshot?.id})`),
      },
    ]);
  });

  test("a job that was never sent to a server takes no snapshot", async () => {
    await using at = await setUp(universal);
    const run = {
      timeoutSec: 300,
      side: "job",
      idempotencyKey: "j1/0",
      signal: new AbortController().signal,
      action: {},
    } as const;
    const type = at.cradle().registry.actionTypes.get("snapshot");
    const outcome = (data: object) => type?.run({ ...run, data: data as Record<string, unknown> }, at.cradle());
    expect(await outcome({ job: { id: "j1" } })).toEqual({
      code: "snapshot",
      description: "Failed to take snapshot: No server selected for job.",
    });
    expect((await outcome({ job: { server: "gone" } }))?.description).toBe(
      "Failed to take snapshot: Unknown or inactive server: gone",
    );
    // The first minute has not arrived yet: the job may have failed for its own reasons, and this must not add a second
    // error.
    expect(await outcome({ job: { server: "s1" } })).toEqual({
      code: 0,
      description: "Took no snapshot: server web01.example.internal has not reported its first minute yet.",
    });
    expect((await outcome({ alert: { server: "s1" }, job: {} }))?.code).toBe("snapshot");
  });

  test("a job aborted before it has a server does not fail the configuration's snapshot", async () => {
    const log = recordingLogger();
    await using at = await setUp(universal, log);
    const { id } = await at.signalbox.api.runEvent({ id: await at.event({ targets: ["nobody"], limits: LINE }) });
    await at.settle();
    await at.signalbox.api.abortJob({ id });
    await at.settle(2);
    expect((await at.signalbox.api.getJob({ id })).job["actions"]).toMatchObject([
      { type: "snapshot", code: 0, description: "Took no snapshot: No server selected for job." },
    ]);
    expect(log.lines.map(({ message }) => message)).not.toContain("An action failed");
  });

  test("a retry after a crash finds the snapshot of the attempt before it", async () => {
    await using at = await setUp();
    await at.minute();
    const run = {
      timeoutSec: 300,
      side: "job",
      idempotencyKey: "j1/0",
      signal: new AbortController().signal,
      action: {},
    } as const;
    const type = at.cradle().registry.actionTypes.get("snapshot");
    const outcome = () => type?.run({ ...run, data: { job: { server: "s1" } } }, at.cradle());
    const first = await outcome();
    await at.minute();
    expect((await outcome())?.resultId).toBe(first?.resultId);
    expect(await taken(at)).toHaveLength(1);
  });

  test("an exceeded limit takes a snapshot", async () => {
    await using at = await setUp();
    await at.minute();
    const limits = [{ enabled: true, type: "time", duration: 5, snapshot: true }];
    const { id } = await at.signalbox.api.runEvent({ id: await at.event({ limits }) });
    await at.settle();
    await at.clock.advance(10);
    const [snapshot] = await taken(at);
    expect(snapshot).toMatchObject({ source: "job", server: "s1", jobs: [id] });
    const { job } = await at.signalbox.api.getJob({ id });
    expect(job["limits"]).toMatchObject([{ code: 0, details: expect.stringContaining(String(snapshot?.id)) }]);
  });
});

describe("alerts", () => {
  test("by default take a snapshot of the minute that fired, even if the server disconnects at once", async () => {
    await using at = await setUp();
    const { api } = at.signalbox;
    await api.createAlert({ id: "hot", title: "Hot", expression: "temp > 50", message: "x" });
    await at.minute({ ...minuteData, temp: 60 });
    const date = Math.floor(at.clock.now());
    at.server.close();
    await at.settle(5);
    const [snapshot] = await taken(at);
    expect(snapshot).toMatchObject({
      source: "alert",
      server: "s1",
      groups: ["main"],
      date,
      new_alerts: { hot: true },
    });
    const [invocation] = await at.storage.read((tx) => tx.collection(invocationCollection).list());
    expect(snapshot?.alerts).toEqual([invocation?.id]);
    expect(invocation?.actions).toMatchObject([{ type: "snapshot", code: 0, loc: `#Snapshots?id=${snapshot?.id}` }]);
  });
});
