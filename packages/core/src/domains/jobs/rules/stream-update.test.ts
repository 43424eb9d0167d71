import { describe, expect, test } from "vitest";
import type { Job } from "../model.ts";
import { failedUpdate, finalUpdate, runningUpdate } from "./stream-update.ts";

const job: Job = { id: "j1", event: "e1", state: "active", started: 100 };

describe("an update of a running job", () => {
  test("the first one says which job it is", () => {
    expect(runningUpdate({ ...job, server: "s1", updated: 101 }, undefined)).toEqual({
      xy: 1,
      id: "j1",
      started: 100,
      state: "active",
      server: "s1",
      updated: 101,
      progress: 0,
    });
  });

  test("later ones say what changed, and the progress always", () => {
    const before = { ...job, server: "s1", status: "Copying", label: "L" };
    expect(runningUpdate({ ...before, progress: 0.5 }, before)).toEqual({ xy: 1, progress: 0.5 });
  });

  const usage = { total: 3, count: 2, min: 1, max: 2 };
  const waiting = { state: "start_delay", until: 200 } as const;
  const content = { redraw: "r2", table: { rows: [] }, html: { content: "x" } };
  test.each<[string, Partial<Job>, Partial<Job>, Record<string, unknown>]>([
    ["readings as long as there are any", { cpu: usage }, { cpu: usage, mem: usage }, { cpu: usage, mem: usage }],
    ["the end of a delay beside its state", {}, waiting, waiting],
    ["no end of a delay while the state stays", waiting, waiting, {}],
    ["the place in the queue", {}, { position: 2 }, { position: 2 }],
    ["no place for the head of the queue", { position: 1 }, { position: 0 }, {}],
    ["a new status", { status: "a" }, { status: "b" }, { status: "b" }],
    ["a new label", {}, { label: "b" }, { label: "b" }],
    ["the server once it is known", {}, { server: "s1" }, { server: "s1" }],
    ["new content under a new mark", { redraw: "r1" }, content, content],
    ["no content under the same mark", { redraw: "r2" }, content, {}],
  ])("tells %s", (_name, before, now, expected) => {
    const { progress, xy, ...rest } = runningUpdate({ ...job, ...now }, { ...job, ...before });
    expect({ progress, xy }).toEqual({ progress: 0, xy: 1 });
    expect(rest).toEqual(expected);
  });
});

describe("the final update", () => {
  test("tells how the job ended and what it made", () => {
    const final = { ...job, state: "complete", code: 3, description: "broken", completed: 109, elapsed: 9 } as const;
    const made = { table: { rows: [] }, html: { content: "x" }, data: { a: 1 }, files: [] };
    const { id, code, description, completed, elapsed } = final;
    expect(finalUpdate({ ...final, ...made, params: { password: "p" } })).toEqual({
      xy: 1,
      ...{ id, code, description, completed, elapsed },
      ...made,
    });
  });

  test("a job without a code ended well", () => {
    expect(finalUpdate({ ...job, completed: 1, elapsed: 0 })).toMatchObject({ code: 0, description: "" });
  });

  test("a job that cannot be loaded is an error", () => {
    expect(failedUpdate("gone")).toEqual({ xy: 1, error: true, code: 1, description: "gone" });
  });
});
