import { describe, expect, test } from "vitest";
import type { FinalJob } from "../../model.ts";
import { lateUpdate } from "./late-update.ts";

const stored = (members: Partial<FinalJob> = {}): FinalJob => ({
  id: "j1",
  event: "e1",
  state: "complete",
  started: 1,
  code: "abort",
  description: "No updates received in last 2 minutes, assuming job is dead.",
  tags: ["_error", "_last"],
  final: true,
  activity: [],
  ...members,
});
const tools = {
  row: (msg: string) => ({ id: "m1", epoch: 2, msg, server: "m:node" }),
  expand: (text: string) => text.replaceAll("{{x}}", "expanded"),
};
const late = (update: unknown, members: Partial<FinalJob> = {}) => lateUpdate(stored(members), update, tools);
const done = (members: Record<string, unknown> = {}) => ({ state: "complete", complete: true, code: 0, ...members });

describe("a final update after the end", () => {
  test("turns an abort into a warning that says so, with a row in the meta log", () => {
    const changed = late(done({ description: "Backup finished" }));
    expect(changed).toMatchObject({
      code: "warning",
      description: "Job was aborted, but its server reported a result later: Backup finished",
      tags: ["_error", "_last"],
      final: true,
    });
    expect(changed?.activity).toMatchObject([{ msg: expect.stringContaining("code 0") }]);
  });

  test("without a description gets one", () => {
    expect(late(done())).toMatchObject({ description: "Job was aborted, but its server reported a result later." });
  });

  test.each<[string, unknown]>([
    ["a failure", { code: 3 }],
    ["a false code", { code: false }],
    ["no code", { code: undefined }],
  ])("%s is a warning as well", (_name, members) => {
    expect(late(done(members as Record<string, unknown>))).toMatchObject({ code: "warning" });
  });

  test.each<[string, Record<string, unknown>, Partial<FinalJob>]>([
    ["the requested abort", { code: "abort", description: "Aborted on the server" }, {}],
    ["the abort in other letters", { code: "ABORT" }, {}],
    ["a job that ended by itself", { code: 0 }, { code: 0 }],
    ["a job that failed by itself", { code: 3 }, { code: 3 }],
    ["a job with a warning of its own", { code: "warning" }, { code: "warning" }],
  ])("%s changes nothing", (_name, members, before) => {
    expect(late(done(members), before)).toBeUndefined();
  });

  test("a final update that repeats the result changes nothing", () => {
    const once = late(done({ data: { rows: 1 } }));
    if (!once) throw new Error("The first one counts");
    expect(lateUpdate(once, done({ data: { rows: 1 } }), tools)).toBeUndefined();
  });

  test.each<[string, Partial<FinalJob>]>([
    ["after a report", { code: 0, description: "Fine" }],
    ["after a late one", { code: "warning", description: "Late", late: true }],
  ])("with another result %s adds its output, and only a row mentions the result", (_when, before) => {
    const update = done({ code: 9, description: "Bad", data: { n: 2 } });
    const changed = late(update, before);
    expect(changed).toEqual({
      ...stored(before),
      data: { n: 2 },
      activity: [tools.row("The server reported another result later, and the first one stands (code 9)")],
    });
    if (changed) expect(lateUpdate(changed, update, tools)).toBeUndefined();
  });

  test("adds its output, and nothing else", () => {
    const file = { filename: "a.csv", path: "files/jobs/j1/x/a.csv", size: 1 };
    const alien = { filename: "b.csv", path: "files/jobs/j2/x/b.csv", size: 1 };
    const changed = late(
      done({
        data: [1],
        files: [file, alien],
        html: "<b>{{x}}</b>",
        perf: { db: 1 },
        server: "s2",
        event: "e2",
        tags: ["x"],
        own: 1,
      }),
    );
    expect(changed).toMatchObject({
      data: [1],
      files: [file],
      html: { content: "<b>expanded</b>" },
      perf: { db: 1 },
      event: "e1",
    });
    for (const member of ["server", "own"]) expect(changed).not.toHaveProperty(member);
  });

  test.each([undefined, null, "text", 5, []])("%o is no result", (update) => {
    expect(late(update)).toMatchObject({ code: "warning" });
  });
});
