import { describe, expect, test } from "vitest";
import type { FinalJob, Job } from "../../model.ts";
import { failedUpdate, finalUpdate, runningUpdate } from "./stream-update.ts";

const job = (members: object = {}) => ({ id: "j1", event: "e1", state: "active", started: 5, ...members }) as Job;

describe("an update of a running job", () => {
  test("begins with the job's identity and state", () => {
    expect(runningUpdate(job({ server: "s1", progress: 0.5 }), undefined)).toEqual({
      ...{ xy: 1, id: "j1", started: 5, state: "active", server: "s1", progress: 0.5 },
    });
  });

  test("then contains the changed members, and the measures each time", () => {
    const before = job({ server: "s1", status: "a", label: "b", cpu: { current: 1 }, redraw: "r1", html: "<p>" });
    const same = { ...before, cpu: { current: 2 } } as Job;
    expect(runningUpdate(same, before)).toEqual({ xy: 1, progress: 0, cpu: { current: 2 } });
    const next = { ...before, status: "c", redraw: "r2", table: { rows: [] } } as Job;
    expect(runningUpdate(next, before)).toEqual({
      ...{ xy: 1, progress: 0, cpu: { current: 1 }, status: "c" },
      ...{ redraw: "r2", table: { rows: [] }, html: "<p>" },
    });
  });

  test("gives a delay together with its end", () => {
    const before = job({ state: "ready" });
    expect(runningUpdate(job({ state: "retry_delay", until: 9 }), before)).toMatchObject({
      state: "retry_delay",
      until: 9,
    });
  });

  test("leaves out the place 0, which a job with priority has at the head of a line", () => {
    expect(runningUpdate(job({ state: "queued", position: 0 }), undefined)).not.toHaveProperty("position");
    expect(runningUpdate(job({ state: "queued", position: 2 }), undefined)).toMatchObject({ position: 2 });
  });
});

test("the last update contains the job's result and output", () => {
  const final = job({ code: 3, description: "no", completed: 9, elapsed: 4, data: { n: 1 }, params: { secret: 1 } });
  expect(finalUpdate(final as FinalJob)).toEqual({
    ...{ xy: 1, id: "j1", code: 3, description: "no", completed: 9, elapsed: 4, data: { n: 1 } },
  });
  expect(finalUpdate(job() as FinalJob)).toMatchObject({ code: 0, description: "" });
  expect(failedUpdate("gone")).toEqual({ xy: 1, error: true, code: 1, description: "gone" });
});
