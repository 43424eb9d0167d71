import { describe, expect, test } from "vitest";
import { type Members, setUp } from "../../../../test/work/launcher-setup.ts";
import { launched } from "../../../testing/test-jobs.ts";

describe("parameters of a launch", () => {
  const fields = [
    { id: "first", type: "text", title: "First", value: "" },
    { id: "second", type: "text", title: "Second", value: "" },
  ];

  test("are expanded once, the event's fields first, with the input available", async () => {
    const at = await setUp();
    const id = await at.event({ fields });
    const job = await at.launch(id, {
      params: {
        script: "{{ params.second }}!",
        second: "{{ params.first }}-{{ data.n }}",
        first: "{{ id ? 'a' : 'b' }}",
        again: "{{ data.macro }}",
      },
      input: { data: { n: 7, macro: "{{ secrets }}" } },
    });
    expect(job?.params).toMatchObject({ first: "a", second: "a-7", script: "a-7!", again: "{{ secrets }}" });
  });

  test("share the bounds of one text, however many there are", async () => {
    const at = await setUp();
    const heavy = "{{ count(data.l[.a && count(data.l[.a]) > 0]) }}".repeat(20);
    const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
    const job = await at.launch(await at.event(), {
      params: Object.fromEntries(names.map((name) => [name, heavy])),
      input: { data: { l: Array(220).fill({ a: 1 }) } },
    });
    expect(job?.params?.["p0"]).toMatch(/^220/);
    for (const name of names.slice(1)) expect(job?.params?.[name]).not.toMatch(/220/);
  });

  test("replace members of the job, expanded, and the log names members that may not be replaced", async () => {
    const at = await setUp();
    const job = await at.launch(await at.event(), {
      params: {
        who: "x",
        _xy_override_label: "L {{ params.who }}",
        _xy_override_targets: "a,b",
        _xy_override_command: "rm",
        _xy_override_priority: "false",
      },
    });
    expect(job).toMatchObject({ label: "L x", targets: ["a", "b"], command: "[shell-plugin]", priority: false });
    const [record] = await at.active();
    expect(record?.details.activity.at(-1)?.msg).toBe("WARNING: Ignoring override of: command");
  });

  test.each(["user", "key"] as const)(
    "of a %s name targets as they were checked, not as a macro expands them",
    async (source) => {
      const at = await setUp();
      const job = await at.launch(await at.event(), { source, params: { _xy_override_targets: "{{ 'secret' }}" } });
      expect(job?.targets).toEqual(["{{ 'secret' }}"]);
    },
  );
});

describe("a retry", () => {
  test("keeps the job's definition, not its results", async () => {
    const at = await setUp({ job_env: { A: "1" } });
    const server = await at.connect();
    await at.signalbox.api.createTag({ id: "slow", title: "Slow" });
    const id = await at.event({ limits: [{ enabled: true, type: "retry", amount: 1 }] });
    await at.launch(id, {
      tags: [],
      overrides: { ephemeral: true, workflowData: { w: 1 }, notes: "N" },
      params: { _xy_override_label: "L", script: "echo {{ id }}" },
      input: { data: { n: 1 } },
      now: 1_700_000_000,
    });
    await at.settle();
    const first = launched(server)[0];
    expect(first?.details).toMatchObject({ workflowData: { w: 1 }, input: { data: { n: 1 } } });
    await at.signalbox.api.updateEvent({ id, notes: "changed" });
    server.send("jobs", {
      [String(first?.job["id"])]: { state: "complete", code: 1, workflowData: { out: 1 }, push: { tags: ["slow"] } },
    });
    await at.clock.advance(1);
    const second = launched(server)[1];
    expect(second?.job).toMatchObject({
      ...{ retry_count: 1, retry_prev: first?.job["id"], label: "L", notes: "N", ephemeral: true, tags: ["slow"] },
      ...{ now: 1_700_000_000, params: first?.job["params"] as Members, env: { A: "1" } },
    });
    expect(second?.details).toMatchObject({ workflowData: { w: 1 }, input: { data: { n: 1 } } });
    expect((await at.signalbox.api.getJob({ id: String(first?.job["id"]) })).job).toMatchObject({
      workflowData: { out: 1 },
    });
  });
});
