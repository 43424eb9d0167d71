import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { AgentMessage } from "../../ports/agents/agent-transport.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";
import { commands, launched, startJobs, type TestJobs } from "../../testing/test-jobs.ts";

interface Line extends AgentMessage {
  readonly t: number;
  readonly dir: "in" | "out";
}

const fixture = (name: string): string =>
  readFileSync(new URL(`../../testing/fixtures/${name}`, import.meta.url), "utf8");
const lines = (name: string): Line[] =>
  fixture(`jobs-${name}.ndjson`)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** Sends the agent's part of a captured conversation, under the id of our job. */
async function replay(
  jobs: TestJobs,
  server: ScriptedServer,
  { name, job, until }: { name: string; job: string; until?: (line: Line) => boolean },
) {
  const all = lines(name);
  const launch = all.find(({ cmd }) => cmd === "launch_job")?.data as { job: { id: string } } | undefined;
  if (!launch) throw new Error(`${name} launches no job`);
  const original = launch.job.id;
  let last = all[0]?.t ?? 0;
  for (const line of all) {
    if (until?.(line)) return;
    if (line.dir !== "in") continue;
    await jobs.clock.advance(line.t - last);
    last = line.t;
    server.send(line.cmd, JSON.parse(JSON.stringify(line.data).replaceAll(original, job)));
    await jobs.settle(0);
  }
  await jobs.settle();
}

describe("a job from launch to its final record", () => {
  test("the captured shell job ends with the captured record", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    await api.createTag({ id: "nightly", title: "Nightly" });
    const server = await jobs.connect();
    const event = await jobs.event({
      title: "Nightly Backup",
      limits: [{ enabled: true, type: "time", duration: 60 }],
    });
    const { id } = await api.runEvent({ id: event });
    await jobs.settle();
    expect(launched(server)).toMatchObject([
      {
        job: { id, state: "active", command: "[shell-plugin]", script: "", kill: "all", progress: 0 },
        details: { serverData: {} },
      },
    ]);
    const [path = ""] = /files\/jobs\/[^"]+/.exec(fixture("jobs-shell.ndjson")) ?? [];
    const report = Readable.from([Buffer.from("sample,value\na,1\n")]);
    await jobs.blobs.put(path.replace(/^files\/jobs\/\w+/, `files/jobs/${id}`), report);
    await replay(jobs, server, { name: "shell", job: id });
    const { job } = await api.getJob({ id });
    const captured = JSON.parse(fixture("jobs-final.json")) as Record<string, unknown>;
    const same = [
      "progress",
      "cpu",
      "mem",
      "table",
      "code",
      "description",
      "complete",
      "tags",
      "data",
      "output",
      "final",
    ];
    for (const member of [
      ...same,
      "log_file_size",
      "disk",
      "net",
      "state",
      "pid",
      "category",
      "plugin",
      "algo",
      "limits",
    ])
      expect(job[member], member).toEqual(captured[member]);
    expect(job).toMatchObject({
      event_title: "Nightly Backup",
      event_revision: 1,
      event,
      groups: ["main"],
      server: "s1",
    });
    const lengths = (record: Record<string, unknown>) => {
      const { second, minute } = record["timelines"] as { second: unknown[]; minute: unknown[] };
      return [second.length, minute.length];
    };
    expect(lengths(job)).toEqual(lengths(captured));
    // The captured service had an action that is missing here, and different ids and times.
    expect(Object.keys(captured).filter((member) => !(member in job))).toEqual([]);
    const added = Object.keys(job).filter((member) => !(member in captured));
    expect(new Set(added)).toEqual(new Set(["cause", "code_version", "params_version"]));
    const texts = (record: Record<string, unknown>) =>
      (record["activity"] as { msg: string }[]).map(({ msg }) =>
        msg.replace(/#\w+|Signalbox|xyOps|System|Key|User/g, ""),
      );
    expect(texts(job)).toEqual(texts(captured));
    expect(job["files"]).toMatchObject([{ filename: "report.csv", size: 17 }]);
    expect(await api.getActiveJobs()).toEqual({ rows: [], list: { length: 0 } });
  });

  test("the captured abort is sent to the agent and ends with its answer", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const { id } = await api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    await replay(jobs, server, { name: "abort", job: id, until: ({ cmd }) => cmd === "abort_job" });
    await api.abortJob({ id });
    await jobs.settle();
    expect(commands(server, "abort_job")).toEqual([
      { cmd: "abort_job", data: { id, reason: "Manually aborted by user: system" } },
    ]);
    expect((await api.getJob({ id })).job).toMatchObject({ state: "active" });
    await replay(jobs, server, { name: "abort", job: id });
    expect((await api.getJob({ id })).job).toMatchObject({
      code: "abort",
      description: "Manually aborted by API Key: bench",
      tags: ["_error", "_last"],
      output: "started\nstarted\nCaught SIGTERM, killing child: 1518\n",
    });
  });

  test("the captured failure keeps its exit code and shows its content", async () => {
    const jobs = await startJobs();
    const { api } = jobs.signalbox;
    const server = await jobs.connect();
    const { id } = await api.runEvent({ id: await jobs.event() });
    await jobs.settle();
    await replay(jobs, server, { name: "failure", job: id });
    expect((await api.getJob({ id })).job).toMatchObject({
      code: 3,
      description: "Script exited with code: 3: broken",
      html: { title: "Error Output", content: "<pre>broken</pre>" },
      output: "checking\nbroken\n",
      tags: ["_error", "_last"],
    });
  });
});
