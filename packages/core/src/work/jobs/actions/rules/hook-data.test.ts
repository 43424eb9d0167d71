import { describe, expect, test } from "vitest";
import { type HookSources, jobHookData, textTemplateKey } from "./hook-data.ts";

const sources: HookSources = {
  job: { id: "jexample0001", event: "e1", code: 0 },
  event: { id: "e1", title: "Backup" },
  category: undefined,
  plugin: { id: "shellplug" },
  server: { hostname: "web01.example.internal", title: "Web" },
  host: "n1",
  now: 1_800_000_090,
  baseUrl: "https://ops.example.com",
  logUrl: "https://api.example.com/app/download_job_log",
  secretKey: "correct horse battery staple",
  stripHostname: (hostname) => hostname.replace(".example.internal", ""),
};

describe("jobHookData", () => {
  test("holds the job and its definitions, and null for deleted ones", () => {
    expect(jobHookData(sources)).toMatchObject({
      job: sources.job,
      event: { title: "Backup" },
      category: null,
      plugin: { id: "shellplug" },
      server: { title: "Web" },
    });
  });

  test("links carry the download token of the job", () => {
    expect(jobHookData(sources)["links"]).toEqual({
      job_details: "https://ops.example.com/#Job?id=jexample0001",
      job_log: "https://api.example.com/app/download_job_log?id=jexample0001&t=0hPpryGnUCj96zwRYbpONg",
      job_files: "(None)",
    });
  });

  test("files are listed in Markdown, without entries that are no files", () => {
    const files = [{ filename: "a.csv", path: "files/jobs/j1/x/a.csv" }, null, { filename: 1 }, "x"];
    expect(jobHookData({ ...sources, job: { ...sources.job, files } })["links"]).toMatchObject({
      job_files: "- [a.csv](https://ops.example.com/files/jobs/j1/x/a.csv)",
    });
  });

  test("the name of a file cannot create a link", () => {
    const files = [{ filename: "a](https://evil.example) [b", path: "files/jobs/j1/x/b" }];
    expect(jobHookData({ ...sources, job: { ...sources.job, files } })["links"]).toMatchObject({
      job_files: "- [a\\](https://evil.example) \\[b](https://ops.example.com/files/jobs/j1/x/b)",
    });
  });

  test.each([
    [sources.server, { nice_hostname: "web01", nice_server: "Web (web01)" }],
    [{ hostname: "web01" }, { nice_hostname: "web01", nice_server: "web01" }],
    [undefined, { nice_hostname: "n1", nice_server: "n1" }],
  ])("names the server %j", (server, names) => {
    const data = jobHookData({ ...sources, server });
    expect(data).toMatchObject(names);
    expect("server" in data).toBe(server !== undefined);
  });

  test("names an unknown server by its id, and not the node", () => {
    const data = jobHookData({ ...sources, job: { ...sources.job, server: "s7" }, server: undefined });
    expect(data).toMatchObject({ nice_hostname: "s7", nice_server: "s7" });
  });

  const usage = { total: 3_145_728, count: 2, max: 2_097_152 };
  test.each([
    [{}, { elapsed: "n/a", log_size: "0 bytes", perf: "n/a", mem: "n/a", cpu: "n/a" }],
    [
      { elapsed: 3660.5, log_file_size: 1_048_576 },
      { elapsed: "1 hour, 1 minute", log_size: "1 MB" },
    ],
    [{ state: "active", started: 1_800_000_000 }, { elapsed: "1 minute, 30 seconds" }],
    [{ state: "active", started: 1_800_000_099 }, { elapsed: "0 seconds" }],
    [{ state: "starting", started: 1_800_000_000 }, { elapsed: "n/a" }],
    [{ state: "active", started: 1_800_000_000, elapsed: 7 }, { elapsed: "7 seconds" }],
    [{ perf: { db: 1.5 } }, { perf: '{"db":1.5}' }],
    [{ perf: "db=1.5" }, { perf: "db=1.5" }],
    [
      { mem: usage, cpu: { total: 25.999, count: 1 } },
      { mem: "1.5 MB (Peak: 2 MB)", cpu: "25.99%" },
    ],
    [
      { mem: { total: 0, count: 0 }, cpu: "high" },
      { mem: "n/a", cpu: "n/a" },
    ],
  ])("shows %j as %j", (members, display) => {
    expect(jobHookData({ ...sources, job: { ...sources.job, ...members } })["display"]).toMatchObject(display);
  });

  test("the environment is offered only when it was given, without the product's own settings", () => {
    expect(jobHookData(sources)).not.toHaveProperty("env");
    const env = { PATH: "/bin", SIGNALBOX_SECRET_KEY: "k", XYOPS_x: "1", signalbox: "1", SIGNALBOXER: "kept" };
    expect(jobHookData({ ...sources, env })["env"]).toEqual({ PATH: "/bin", SIGNALBOXER: "kept" });
  });
});

describe("the text template of an action", () => {
  const known = { job_start: "", job_success: "", job_error: "", job_progress: "", job_limited: "" };
  test.each([
    [{ template: "job_limited", condition: "start" }, {}, "job_limited"],
    [{ template: "nope", condition: "start" }, {}, "job_start"],
    [{ template: "constructor", condition: "complete" }, { complete: true }, "job_success"],
    [{ condition: "error" }, { complete: true, code: 1 }, "job_error"],
    [{ condition: "complete" }, { complete: true, code: "abort" }, "job_error"],
    [{ condition: "complete" }, { complete: true, code: 0 }, "job_success"],
    [{ condition: "tag:x" }, { complete: true }, "job_success"],
    [{ condition: "instant" }, {}, "job_progress"],
    [{}, {}, "job_progress"],
  ])("of %j for a job %j is %s", (action, job, key) => {
    expect(textTemplateKey(action, job, known)).toBe(key);
  });
});
