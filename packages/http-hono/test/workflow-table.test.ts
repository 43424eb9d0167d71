import { describe, expect, test } from "vitest";
import { openFlows } from "./open-flows.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { PASSING_CASES } from "./workflow-cases/passing.ts";
import { SPREADING_CASES } from "./workflow-cases/spreading.ts";
import { WIRE_CASES } from "./workflow-cases/wires.ts";

const part = (input: object): unknown => expect.objectContaining(input);

describe.each(ONE_STORAGE)("workflows over %s", (storage) => {
  test("end as the contract's table says", async () => {
    const at = await openFlows(storage, { max_jobs_per_workflow: 8 });
    for (const [name, flow, ran, job, inputs = {}] of [...WIRE_CASES, ...PASSING_CASES, ...SPREADING_CASES]) {
      const played = await at.play(flow);
      const seen = { name, ran: played.ran.split(" ").toSorted().join(" "), job: played.job };
      expect(seen).toMatchObject({ name, ran: ran.split(" ").toSorted().join(" "), job });
      for (const [node, expected] of Object.entries(inputs)) {
        const given = played.launched.filter((each) => each.node === node).map(({ input }) => input);
        expect([name, node, given]).toEqual([name, node, expect.arrayContaining(expected.map(part))]);
        expect([name, node, given.length]).toEqual([name, node, expected.length]);
      }
    }
  });

  test("give their jobs the data of the contract's table", async () => {
    const at = await openFlows(storage);
    const nodes = { a: "job", s: { controller: "split", split: "data.list" }, each: "job", after: "job" };
    const { job, launched } = await at.play({
      ...{
        nodes,
        wires: ["start>a", "a>s:success", "s>each", "each>after:continue"],
        event: { params: { region: "eu" } },
      },
      answers: { a: [{ data: { list: ["x", "y"] } }] },
    });
    const of = (node: string) => launched.filter((each) => each.node === node);
    expect(of("each").map(({ input }) => input["data"])).toEqual([{ item: "x" }, { item: "y" }]);
    expect(of("after").map(({ input }) => input)).toEqual([{}]);
    expect(of("each")[0]?.job).toMatchObject({
      ...{ source: "workflow", type: "adhoc", event: job.event, category: "general" },
      workflow: {
        event: job.event,
        job: job.id,
        node: "each",
        launcher: "s",
        params: { region: "eu" },
        now: expect.any(Number),
      },
      parent: { code: 0 },
    });
    expect(of("a")[0]?.job).toMatchObject({ workflow: { launcher: "start" } });
    expect(of("after")[0]?.job).toMatchObject({ workflow: { launcher: "s" } });
  });
});
