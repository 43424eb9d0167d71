import { expect, test } from "vitest";
import * as z from "zod";
import { refusalOf } from "../../../../test/engine.ts";
import { systemActor as actor, localClient } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { startJobs } from "../../../testing/test-jobs.ts";

/** The bound on waiting callers. */
const MOST = 1000;

test("a run is not launched when the number of waits for its end is at its bound", async () => {
  const caller = new AbortController();
  const wait = defineQuery({
    name: "wait_often",
    method: "GET",
    summary: "Wait for the end of a job as often as anybody may.",
    access: credentials,
    input: z.object({ id: z.string() }),
    output: z.object({}),
    async handler({ id }, { services }) {
      for (let count = 0; count < MOST; count++)
        services.jobs.finals.wait(id, caller.signal).catch(() => "the caller has left");
      return {};
    },
  });
  const at = await startJobs({ plugins: [{ id: "test.waiting", operations: [wait] }] });
  const { api, execute } = at.signalbox;
  await at.connect();
  const { id } = await api.runEvent({ id: await at.event() });
  await execute({ operation: "wait_often", input: { id }, actor });
  const client = { ...localClient, pathSuffix: "wait" };
  const event = await at.event();
  expect(await refusalOf(execute({ operation: "run_event", input: { id: event }, client, actor }))).toEqual({
    code: "event",
    description: "Failed to wait for job: Too many callers are waiting.",
  });
  expect((await api.getActiveJobs()).rows.map((job) => job.id)).toEqual([id]);
  caller.abort();
  await at.settle();
});
