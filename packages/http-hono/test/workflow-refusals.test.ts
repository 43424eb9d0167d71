import { describe, expect, test } from "vitest";
import { ONE_STORAGE } from "./open-storage.ts";
import { eventNode, jobNode, type Members, open } from "./open-sub-jobs.ts";

describe.each(ONE_STORAGE)("refused launches over %s", (storage) => {
  test("end the workflow with the reason", async () => {
    const at = await open(storage);
    const shut = await at.create({
      nodes: {},
      wires: [],
      event: { title: "Shut", triggers: [{ id: "start", type: "manual", enabled: false }] },
    });
    const own = { title: "P", type: "event", command: "sh" };
    await at.must("create_plugin", { ...own, id: "off" });
    await at.must("create_category", { id: "gone", title: "Gone" });
    const event = {
      title: "X",
      enabled: true,
      category: "general",
      plugin: "shellplug",
      targets: ["s1"],
      algo: "random",
      triggers: [],
      params: { script: "true" },
    };
    for (const [id, more] of [
      ["disabled", { enabled: false }],
      ["today", { limits: [{ enabled: true, type: "day", condition: "start", amount: 1 }] }],
      ["deleted", {}],
    ] as const)
      await at.must("create_event", { ...event, id, title: id, ...more });
    const rows: [node: object, description: string, before?: () => Promise<unknown>][] = [
      [eventNode("disabled"), "Failed to launch job: Event is disabled: disabled"],
      [eventNode(shut), "Sub-workflow does not allow manual job runs: Shut"],
      [
        jobNode({ plugin: "off" }),
        "Failed to launch job: Plugin is disabled: P",
        () => at.must("update_plugin", { id: "off", enabled: false }),
      ],
      [
        jobNode({ category: "gone" }),
        "Failed to launch job: Category is disabled: Gone",
        () => at.must("update_category", { id: "gone", enabled: false }),
      ],
    ];
    for (const [node, description, before] of rows) {
      const event = await at.create({ nodes: { a: node as Members, b: "job" }, wires: ["start>a", "start>b"] });
      await before?.();
      const { id } = await at.must("run_event", { id: event });
      await at.until(async () => (await at.read(id)).final === true);
      expect(await at.read(id)).toMatchObject({ code: "abort", description, workflow: { aborted: description } });
    }
    const id = await at.start({
      ...{ nodes: { a: "job", b: eventNode("deleted") }, wires: ["start>a", "a>b:success"] },
      answers: { a: [{ hangs: true }] },
    });
    const [held] = await at.told("a");
    await at.must("delete_event", { id: "deleted" });
    at.end(held?.job.id);
    await at.until(async () => (await at.read(id)).final === true);
    const gone = "Event not found: deleted (Node #b)";
    expect(await at.read(id)).toMatchObject({ code: "abort", description: gone, workflow: { aborted: gone } });
    const nodes = { a: eventNode("today"), b: eventNode("today") };
    const { job } = await at.play({ nodes, wires: ["start>a", "a>b:success"] });
    expect(job).toMatchObject({
      code: "abort",
      description: "Failed to launch job: Maximum daily 'start' count of 1 has been reached for event: today",
      workflow: { jobs: { a: [{ code: 0 }] } },
    });
  });
});
