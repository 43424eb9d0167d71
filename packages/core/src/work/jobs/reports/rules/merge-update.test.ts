import { describe, expect, test } from "vitest";
import type { Job } from "../../model.ts";
import { acceptUpdate, applyPush, hasPush } from "./merge-update.ts";

const known = {
  job: { id: "j1", event: "e1", state: "active", server: "s1", started: 100, progress: 0, params: { a: 1 } },
  details: { activity: [] },
};

const asIs = (text: string): string => text;

const accept = (update: unknown, before: typeof known = known) => acceptUpdate(before, update, asIs);

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};

describe("members that an agent may never set", () => {
  test.each([
    ...["id", "event", "category", "plugin", "type", "source", "username", "parent", "workflow", "targets", "params"],
    ...["server", "groups", "started", "completed", "elapsed", "final", "retried", "retry_count", "retry_prev", "jobs"],
    ...["suspended", "input", "test", "test_actions", "test_limits", "test_conditions", "now", "activity", "log_file"],
    ...["log_file_size", "actions", "limits", "tags", "log_uploaded", "output", "timelines", "updated", "remote"],
    ...["until", "position", "priority", "env", "command", "uid", "gid", "kill", "delete_event", "__proto__"],
  ])("%s", (member) => {
    const { job, details, push } = accept(JSON.parse(JSON.stringify({ x: 1 }).replace('"x"', JSON.stringify(member))));
    expect({ job, details, push }).toEqual({ job: {}, details: {}, push: {} });
  });

  test.each(["ready", "queued", "starting", "start_delay", "retry_delay", "COMPLETE", 5, null, {}])(
    "the state %o",
    (state) => {
      expect(accept({ state })).toMatchObject({ job: {}, state: undefined });
    },
  );

  test.each(["active", "finishing", "complete"] as const)("but it may set the state %s", (state) => {
    expect(accept({ state }).state).toBe(state);
  });
});

describe("members that an agent sets", () => {
  test.each<[string, unknown]>([
    ["progress", 0.5],
    ["status", "Dumping"],
    ["label", "L"],
    ["code", 3],
    ["code", "warning"],
    ["code", false],
    ["code", null],
    ["description", "done"],
    ["complete", true],
    ["retry_ok", true],
    ["perf", { db: 1 }],
    ["perf", "db=1&web=2"],
    ["table", { rows: [] }],
    ["pid", 12],
    ["cwd", "/tmp"],
    ["redraw", "r1"],
    ["reconnected", 5],
    ["update_event", { enabled: false }],
    ["clear_alert", "a1"],
    ["cpu", { min: 1, max: 4, total: 8, count: 4, current: 1 }],
    ["mem", { total: 8, count: 4 }],
    ["own_member", [1]],
  ])("%s = %o", (member, value) => {
    expect(accept({ [member]: value }).job).toEqual({ [member]: value });
  });

  test.each<[string, unknown]>([
    ["progress", "0.5"],
    ["progress", Number.NaN],
    ["progress", null],
    ["status", 5],
    ["label", {}],
    ["description", 5],
    ["complete", "yes"],
    ["retry_ok", 1],
    ["update_event", "delete everything"],
    ["update_event", []],
    ["cpu", { total: "8", count: 4 }],
    ["cpu", { total: 8 }],
    ["cpu", { total: 8, count: 4, current: "9" }],
    ["cpu", { total: Number.NaN, count: 1 }],
    ["mem", 5],
    ["mem", null],
    ["x".repeat(65), 1],
  ])("not %s = %o", (member, value) => {
    expect(accept({ [member]: value }).job).toEqual({});
  });

  test.each([[{}], [[]], [[1]]])("a code of %j is an unknown error, and no success", (code) => {
    expect(accept({ code }).job).toEqual({ code: "unknown" });
  });

  test("only changed members are taken", () => {
    const before = { ...known, job: { ...known.job, perf: { db: 1 }, progress: 0.5 } };
    expect(accept({ perf: { db: 1 }, progress: 0.5 }, before).job).toEqual({});
  });

  test.each<[object, boolean]>([
    [{ progress: 0.5, status: "x", cpu: { total: 1, count: 1 }, redraw: "r" }, false],
    [{ procs: { 1: {} }, conns: [] }, false],
    [{ code: 1 }, true],
    [{ data: { a: 1 } }, true],
    [{ table: {} }, true],
  ])("%o is urgent: %s", (update, urgent) => {
    expect(accept(update).urgent).toBe(urgent);
  });
});

describe("details", () => {
  test.each<[object, object]>([
    [{ data: { a: 1 } }, { data: { a: 1 } }],
    [{ data: [1] }, { data: [1] }],
    [
      { serverData: { a: 1 }, workflowData: { b: 2 } },
      { serverData: { a: 1 }, workflowData: { b: 2 } },
    ],
    [{ serverData: "text", workflowData: [1] }, {}],
  ])("%o", (update, details) => {
    expect(accept(update).details).toEqual(details);
  });

  const own = { filename: "a.csv", path: "files/jobs/j1/x/a.csv" };
  test.each<[string, object, unknown]>([
    ["records of the job count at the end", { state: "complete", files: [own] }, [own]],
    ["names on the agent's disk do not count", { state: "active", files: ["a.csv"] }, undefined],
    ["even while it finishes", { state: "finishing", files: [own] }, undefined],
    [
      "files of others do not count",
      { state: "complete", files: [own, { path: "files/jobs/j2/x" }, { path: "files/jobs/j1/../j2/x" }] },
      [own],
    ],
    ["invalid records do not count", { state: "complete", files: ["a.csv", null, 5, {}, { path: 5 }, own] }, [own]],
    ["an invalid list is no list", { state: "complete", files: { 0: own } }, undefined],
  ])("%s", (_name, update, files) => {
    expect(accept(update).details["files"]).toEqual(files);
  });
});

describe("content", () => {
  test.each<[object, unknown]>([
    [{ html: "<b>x</b><script>1</script>" }, "<b>x</b>&lt;script&gt;1&lt;/script&gt;"],
    [{ text: "<b>" }, "<pre>&lt;b&gt;</pre>"],
    [{ html: { title: "T", content: "<i>y</i>" } }, "<i>y</i>"],
    [{ html: { content: { toString: 1, valueOf: 1 } } }, '{"toString":1,"valueOf":1}'],
    [{ html: 5 }, "5"],
    [{ html: null }, "null"],
    [{ html: nested(200) }, ""],
  ])("%j", (update, content) => {
    expect(accept(update).job["html"]).toMatchObject({ content });
  });

  test("macros are expanded before it is sanitised", () => {
    const { job } = acceptUpdate(known, { html: "{{x}}" }, () => "<script>");
    expect(job["html"]).toEqual({ content: "&lt;script&gt;" });
  });
});

describe("processes", () => {
  test("are sampled with the secrets in their command lines masked", () => {
    const { job } = accept({ procs: { 7: { cpu: 1, command: "mysql -uroot -phunter2 shop" }, 8: { command: 5 } } });
    expect(job["procs"]).toEqual({ 7: { cpu: 1, command: "mysql -uroot -p**** shop" }, 8: { command: 5 } });
  });

  test("must be objects, a thousand at most", () => {
    const procs = Object.fromEntries(Array.from({ length: 5000 }, (_, pid) => [pid, { cpu: 1 }]));
    const {
      job,
      procs: sampled,
      conns,
    } = accept({ procs: { ...procs, 9999: 5 }, conns: Array.from({ length: 5000 }, () => ({})) });
    expect([Object.keys(sampled ?? {}).length, conns?.length]).toEqual([1000, 1000]);
    expect(job["procs"]).toBe(sampled);
  });

  test.each([[[]], ["x"], [null], [5]])("%o are no processes", (procs) => {
    expect(accept({ procs, conns: procs }).procs).toBeUndefined();
  });
});

describe("members that are too large", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["deep", { table: nested(65) }, ["table"]],
    ["very deep", { data: nested(100_000) }, ["data"]],
    ["large", { table: "x".repeat(5 * 1024 * 1024) }, ["table"]],
    ["no JSON", { data: { big: 10n } }, ["data"]],
  ])("%s: dropped and named", (_name, update, dropped) => {
    expect(accept({ ...update, progress: 0.7 })).toMatchObject({ job: { progress: 0.7 }, dropped });
  });

  test("nested as deep as the contract allows are accepted", () => {
    expect(accept({ table: nested(64) }).dropped).toEqual([]);
  });

  test("members with ever new names are refused from a bound on, except the engine's", () => {
    const update = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`m${n}`, n]));
    const { job, dropped } = accept({ ...update, code: 0, complete: true, description: "done" });
    expect(Object.keys(job).length).toBeLessThan(510);
    expect(job).toMatchObject({ code: 0, complete: true, description: "done" });
    expect(dropped.length).toBeGreaterThan(1400);
  });
});

describe("pushed entries", () => {
  test.each<[string, unknown, object, string[]]>([
    ["tags", { tags: ["a", "b"] }, { tags: ["a", "b"] }, []],
    ["malformed tags", { tags: ["a", 5, null, "", "x\u0000", "y".repeat(300)] }, { tags: ["a"] }, ["push.tags"]],
    ["malformed tickets", { tickets: ["t1", "a b", 5] }, { tickets: ["t1"] }, ["push.tickets"]],
    [
      "actions",
      { actions: [{ type: "tag", condition: "complete" }] },
      { actions: [{ type: "tag", condition: "complete" }] },
      [],
    ],
    ["malformed actions", { actions: [{}, null, "x", { type: "tag", condition: 5 }] }, {}, ["push.actions"]],
    [
      "malformed limits",
      {
        limits: [
          { enabled: true, type: "mem", amount: "x" },
          { enabled: true, type: "nope" },
          { enabled: true, type: "time", duration: 5, tags: [5] },
        ],
      },
      {},
      ["push.limits"],
    ],
    [
      "limits",
      { limits: [{ enabled: true, type: "queue", amount: 2 }] },
      { limits: [{ enabled: true, type: "queue", amount: 2 }] },
      [],
    ],
    ["lists of the engine", { jobs: [1], activity: [1], files: [1], status: [1], test_x: [1] }, {}, []],
    ["lists of the plugin's own", { hosts: ["a", { b: 1 }], none: "x" }, { hosts: ["a", { b: 1 }] }, []],
    ["entries too large", { hosts: ["a", "x".repeat(70_000)] }, { hosts: ["a"] }, ["push.hosts"]],
    ["no lists", { tags: "a", actions: {} }, {}, []],
    ["no object", [["tags"]], {}, []],
    ["empty lists", { tags: [] }, {}, []],
  ])("%s", (_name, push, expected, dropped) => {
    expect(accept({ push })).toMatchObject({ push: expected, dropped });
    expect(hasPush(accept({ push }).push)).toBe(Object.keys(expected).length > 0);
  });

  const job = (members: Partial<Job> = {}): Job => ({ id: "j1", event: "e1", state: "active", started: 1, ...members });

  test("are appended: tags and tickets once each, actions and limits as the job's own", () => {
    const action = { type: "tag", condition: "complete", enabled: true };
    const limit = { enabled: true, type: "time", duration: 5, source: "category" };
    const before = job({ tags: ["a"], tickets: ["t1"], actions: [action], limits: [limit] });
    const pushed = { tags: ["b", "a"], tickets: ["t1", "t2"], actions: [{ type: "label" }], limits: [limit] };
    expect(applyPush(before, pushed)).toEqual({
      ...before,
      tags: ["a", "b"],
      tickets: ["t1", "t2"],
      actions: [action, { type: "label", condition: "", enabled: false, source: "job" }],
      limits: [limit, { ...limit, source: "job" }],
    });
  });

  test("are appended to lists of the plugin's own, as long as the record has room", () => {
    const before = job({ hosts: ["a"], count: 5 } as Partial<Job>);
    expect(applyPush(before, { hosts: ["b", "a"], found: [1] })).toEqual({
      ...before,
      hosts: ["a", "b", "a"],
      found: [1],
    });
    // A member that is not a list stays unchanged.
    expect(applyPush(before, { count: [1] })).toEqual(before);
    const names = Array.from({ length: 600 }, (_, n) => [`list${n}`, [n]] as const);
    expect(Object.keys(applyPush(before, Object.fromEntries(names))).length).toBe(500);
    const large = { hosts: Array.from({ length: 80 }, () => "x".repeat(60_000)) };
    expect(applyPush(before, large)).toEqual(before);
  });

  test("never grow beyond a thousand of each", () => {
    let pushedTo = job();
    for (let round = 0; round < 30; round++)
      pushedTo = applyPush(pushedTo, {
        tags: Array.from({ length: 100 }, (_, n) => `t${round}_${n}`),
        actions: Array.from({ length: 100 }, () => ({ type: "tag" })),
        hosts: Array.from({ length: 100 }, () => 1),
      });
    const { tags, actions, hosts } = pushedTo as Job & { hosts: unknown[] };
    expect([tags?.length, actions?.length, hosts.length]).toEqual([1000, 1000, 1000]);
  });
});
