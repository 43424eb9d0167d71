import { expect, test } from "vitest";
import { createOutbox } from "./outbox.ts";

function flushed(outbox: ReturnType<typeof createOutbox>): [string, unknown][] {
  const sent: [string, unknown][] = [];
  outbox.flush((cmd, data) => sent.push([cmd, data]));
  return sent;
}

test("lines and ends of jobs are kept in order, everything else is stale", () => {
  const outbox = createOutbox();
  outbox.keep("monitor", {});
  outbox.keep("job_log", { id: "j1", text: "a" });
  outbox.keep("jobs", { j1: { state: "active" } });
  outbox.keep("job_meta", { id: "j1", text: "b" });
  outbox.keep("jobs", { j1: { state: "complete" } });
  expect(flushed(outbox).map(([cmd]) => cmd)).toEqual(["job_log", "job_meta", "jobs"]);
  expect(flushed(outbox)).toEqual([]);
});

test("the oldest of many lines are dropped, but never the ends of jobs", () => {
  const outbox = createOutbox();
  outbox.keep("jobs", { j1: { state: "complete" } });
  for (let line = 0; line < 3000; line++) outbox.keep("job_log", { id: "j2", text: String(line) });
  const sent = flushed(outbox);
  expect(sent).toHaveLength(1000);
  expect(sent[0]).toEqual(["jobs", { j1: { state: "complete" } }]);
  expect(sent.at(-1)).toEqual(["job_log", { id: "j2", text: "2999" }]);
});
