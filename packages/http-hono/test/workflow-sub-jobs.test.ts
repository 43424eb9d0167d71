import { describe, expect, test } from "vitest";
import { ONE_STORAGE } from "./open-storage.ts";
import { eventNode, jobNode, limit, type Members, open, tagged } from "./open-sub-jobs.ts";

describe.each(ONE_STORAGE)("jobs of a workflow over %s", (storage) => {
  test("an event node uses the members of the event, and the ones that the node replaces", async () => {
    const at = await open(storage);
    const attached = { t: tagged("flag"), l: limit({ type: "time", duration: 60 }) };
    const flow = {
      nodes: {
        ...{ plain: eventNode("e1"), ...attached },
        over: eventNode("e1", {
          ...{
            params: { both: "node" },
            targets: ["s2"],
            tags: ["important"],
            algo: "least_cpu",
            expression: "id == 's2'",
          },
        }),
      },
      wires: ["start>plain", "plain>t:critical", "plain>l", "plain>over:success"],
      event: { params: { region: "eu" }, tags: ["flag"] },
      run: { workflowData: { n: 1 } },
    };
    const { job, launched } = await at.play(flow);
    expect(job).toMatchObject({ code: 0, source: "key", event_title: "Flow" });
    const [plain, over] = launched.map((each) => each.job);
    expect(plain).toMatchObject({
      ...{ event: "e1", category: "cat", plugin: "shellplug", source: "workflow", targets: ["s1"], algo: "random" },
      ...{ params: { script: "true", own: 1, both: "event" }, tags: ["flag"], notes: "N" },
      workflow: { event: job.event, job: job.id, node: "plain", launcher: "start", params: { region: "eu" } },
    });
    expect(plain).not.toHaveProperty("type");
    const named = ({ type, source, condition, id, conn }: Members) => [type, source, condition, id, conn];
    expect(plain.actions.map(named)).toEqual([
      ["tag", undefined, "error", undefined, undefined],
      ["tag", "workflow", "critical", "t", "c2"],
      ["tag", "category", "critical", undefined, undefined],
    ]);
    expect(plain.limits.map(({ type, source }: Members) => [type, source])).toEqual([
      ["log", undefined],
      ["time", "workflow"],
      ["time", "category"],
    ]);
    expect(over).toMatchObject({
      ...{ params: { script: "true", own: 1, both: "node" }, targets: ["s2"], tags: ["important"], algo: "least_cpu" },
      ...{ expression: "id == 's2'", server: "s2", parent: { job: plain.id, event: "e1", code: 0, description: "" } },
      workflow: { node: "over", launcher: null },
    });
    const stored = await at.read(plain.id);
    expect(stored).toMatchObject({ final: true, event: "e1", event_title: "E", workflow: { now: job.now } });
  });

  test("a job node has its own title and icon, the actions of its category, and no event at its end", async () => {
    const universal = [{ enabled: true, condition: "abort", type: "tag", tags: ["important"] }];
    const at = await open(storage, { job_universal_actions: { default: universal, workflow: [] } });
    const node = jobNode({ category: "cat", label: "Deploy", icon: "rocket", tags: ["flag"], targets: ["main"] });
    const nodes = { a: node, t: tagged("flag") };
    const { job, launched } = await at.play({ nodes, wires: ["start>a", "a>t:start"] });
    const part = launched[0]?.job;
    expect(part).toMatchObject({
      ...{ type: "adhoc", event: job.event, category: "cat", plabel: "Deploy", picon: "rocket", algo: "random" },
      ...{ tags: ["flag"], params: { script: "true" }, targets: ["main"], source: "workflow" },
    });
    expect(part.actions.map(({ source, condition }: Members) => [source, condition])).toEqual([
      ["workflow", "start"],
      ["category", "critical"],
      ["universal", "abort"],
    ]);
    expect(part.limits.map(({ source, type }: Members) => [source, type])).toEqual([["category", "time"]]);
    const ended = await at.read(part.id);
    expect(ended).toMatchObject({ event: "", plabel: "Deploy", picon: "rocket", final: true });
    expect(ended).not.toHaveProperty("event_title");
    expect(job.workflow.state.t).toMatchObject({ code: 0, count: 1, completed: expect.any(Number) });
    const { rows } = (await at.admin.get("get_event_history/v1?id=".concat(job.event))).body;
    expect(rows).toHaveLength(1);
  });

  test("a job node without a category runs in the workflow's category", async () => {
    const at = await open(storage);
    const node = (category?: string | null) => jobNode({ category, targets: ["main"] });
    const nodes = { a: node(""), b: node(null), c: node() };
    const wires = ["start>a", "start>b", "start>c"];
    const { job, launched } = await at.play({ nodes, wires, event: { category: "cat" } });
    expect(job).toMatchObject({ code: 0, category: "cat" });
    expect(launched.map((part) => part.job.category)).toEqual(["cat", "cat", "cat"]);
  });

  test("the launch options of a job reach the jobs of its nodes", async () => {
    const at = await open(storage);
    const nodes = { a: eventNode("e1") };
    const rows: [run: Members, expected: Members, absent: readonly string[]][] = [
      [{ test: true }, { test: true }, ["test_actions", "invisible"]],
      [
        { test: true, test_actions: true, test_limits: true, test_conditions: ["success"] },
        { test: true, test_actions: true, test_limits: true, test_conditions: ["success"] },
        ["ephemeral"],
      ],
      [{ invisible: true, ephemeral: true }, { invisible: true, ephemeral: true }, ["test"]],
      [{ params: { _xy_override_label: "L", _xy_override_notes: "O" } }, { label: "L", notes: "O" }, ["test"]],
      [{ params: { _xy_override_targets: "s2" } }, { targets: ["s2"], server: "s2" }, ["test"]],
    ];
    for (const [run, expected, absent] of rows) {
      const id = await at.start({ nodes, wires: ["start>a"], run });
      const [told] = await at.told("a");
      expect([run, told?.job]).toMatchObject([run, expected]);
      for (const member of absent) expect(told?.job).not.toHaveProperty(member);
      await at.until(async () => (await at.admin.get("get_active_jobs/v1")).body.rows.length === 0);
      const isStored = (await at.admin.get(`search_jobs/v1?query=workflow:flow*&limit=1`)).status === 200;
      expect(isStored).toBe(true);
      if (run["ephemeral"])
        expect((await at.admin.get(`search_jobs/v1?query=event:e1&limit=50`)).body.list.length).toBe(2);
      void id;
    }
  });

  test("a test run leaves out actions of other conditions, but no wires", async () => {
    const at = await open(storage);
    const nodes = { a: "job", b: "job", t: tagged("flag"), u: tagged("important") };
    const wires = ["start>a", "a>b:success", "a>t:success", "a>u:start"];
    const { job, ran } = await at.play({ nodes, wires, run: { test: true, test_conditions: ["start"] } });
    expect(ran).toBe("a b");
    expect(job.workflow.state).toMatchObject({ u: { code: 0 } });
    expect(job.workflow.state).not.toHaveProperty("t");
  });

  test("an ephemeral workflow leaves no records, except for jobs that failed", async () => {
    const at = await open(storage);
    const ended = at.next("job.completed" as never);
    await at.start({
      ...{ nodes: { a: eventNode("e1"), b: eventNode("e1") }, wires: ["start>a", "start>b"], run: { ephemeral: true } },
      answers: { b: [{ code: 3 }] },
    });
    void ended;
    await at.told("b");
    await at.until(async () => (await at.admin.get("get_active_jobs/v1")).body.rows.length === 0);
    const { rows } = (await at.admin.get("search_jobs/v1?query=event:e1&limit=9&verbose=1")).body;
    expect(rows).toMatchObject([{ code: 3, workflow: { node: "b" } }]);
    // The workflow as a whole did not succeed, so it stays as well.
    expect((await at.admin.get("search_jobs/v1?query=code:warning&limit=9")).body.list.length).toBe(1);
  });

  test("a workflow inside another one is one job of the outer one", async () => {
    const at = await open(storage);
    const inner = await at.create({
      nodes: { x: "job", y: "job" },
      wires: ["start>x", "x>y:success"],
      event: { title: "Inner", tags: ["flag"], params: { depth: 1 } },
    });
    const { job, launched } = await at.play({
      nodes: { sub: eventNode(inner, { params: { depth: 2 } }), after: "job" },
      wires: ["start>sub", "sub>after:success"],
      answers: {
        x: [
          (id) => ({
            push: { tags: ["important"] },
            data: { inner: 1 },
            workflowData: { list: [1] },
            files: [{ filename: "f", path: `files/jobs/${id}/f`, size: 1 }],
          }),
        ],
      },
      input: { n: 1 },
      run: { workflowData: { list: [0] } },
    });
    expect(job).toMatchObject({ code: 0, tags: expect.arrayContaining(["important"]), files: [{ filename: "f" }] });
    expect(job.data).toMatchObject({ inner: 1, y: 1, after: 1 });
    const of = (node: string) => launched.find((each) => each.node === node);
    expect(of("x")?.input).toMatchObject({ data: { n: 1 } });
    const [stub] = job.workflow.jobs.sub;
    const nested = await at.read(stub.id);
    expect(nested).toMatchObject({
      ...{ type: "workflow", event: inner, event_title: "Inner", source: "workflow", params: { depth: 2 }, code: 0 },
      workflow: {
        event: job.event,
        job: job.id,
        node: "sub",
        launcher: "start",
        start: "start",
        jobs: { x: [{}], y: [{}] },
      },
    });
    expect(of("x")?.job.workflow).toMatchObject({ event: inner, job: nested.id, node: "x", params: { depth: 2 } });
    expect(of("after")?.input).toMatchObject({ data: { inner: 1, y: 1 }, files: [{ filename: "f" }] });
  });

  test("a stored job replaces the job of a node, without running again", async () => {
    const at = await open(storage);
    const first = await at.play({
      nodes: { a: "job", t: tagged("flag") },
      wires: ["start>a", "a>t:success"],
      answers: { a: [{ code: 0, data: { n: 5 }, push: { tags: ["important"] } }] },
    });
    const [stub] = first.job.workflow.jobs.a;
    const { job, launched } = await at.play({
      nodes: { a: jobNode({ replay: stub.id }), t: tagged("flag"), b: "job", c: "job" },
      wires: ["start>a", "a>t:success", "a>b:success", "a>c:tag:important"],
    });
    expect(launched.map(({ node }) => node).toSorted()).toEqual(["b", "c"]);
    expect(launched[0]).toMatchObject({ input: { data: { n: 5 } }, job: { parent: { job: stub.id, code: 0 } } });
    expect(job).toMatchObject({
      ...{ code: 0, tags: expect.arrayContaining(["important"]), data: { n: 5 } },
      workflow: { jobs: { a: [{ id: stub.id, replay: true, code: 0 }] } },
    });
    expect(job.workflow.state).not.toHaveProperty("t");
    expect((await at.read(stub.id)).workflow.job).toBe(first.job.id);
  });

  test("secrets of the workflow, of its category and of the node's event reach a job, the later over the earlier", async () => {
    const at = await open(storage);
    const event = await at.create({ nodes: { a: eventNode("e1"), b: "job" }, wires: ["start>a", "start>b"] });
    const layers: [string, Members][] = [
      ["one", { events: [event] }],
      ["two", { events: ["e1"] }],
      ["three", { categories: ["general"] }],
      ["four", { categories: ["cat"] }],
      ["five", { plugins: ["shellplug"] }],
    ];
    for (const [index, [id, assigned]] of layers.entries()) {
      const names = layers.slice(index).map((_each, n) => `L${n + index}`);
      const fields = [...names.map((name) => ({ name, value: id })), { name: `ONLY_${id}`, value: id }];
      // Each later layer overwrites one name fewer, so that every name shows which layer came last.
      await at.must("create_secret", { id: `se${index}`, title: id, fields, ...assigned });
    }
    const { id } = await at.must("run_event", { id: event });
    await at.until(async () => (await at.read(id)).final === true);
    const sec = Object.fromEntries(at.launched.map(({ node, secrets }) => [node, secrets]));
    expect(sec["a"]).toMatchObject({ L0: "one", L1: "two", L2: "three", L3: "four", L4: "five", ONLY_three: "three" });
    expect(sec["b"]).toMatchObject({ L0: "one", L2: "three", L4: "five" });
    expect(sec["b"]).not.toHaveProperty("ONLY_two");
    expect(JSON.stringify(await at.read(id))).not.toContain("ONLY_");
    // An enclosing workflow passes on no secrets of its own.
    const fields = [{ name: "ONLY_outer", value: "outer" }];
    const outer = await at.create({ nodes: { sub: eventNode(event) }, wires: ["start>sub"] });
    await at.must("create_secret", { id: "se9", title: "Outer", fields, events: [outer] });
    at.launched.length = 0;
    const { id: around } = await at.must("run_event", { id: outer });
    await at.until(async () => (await at.read(around)).final === true);
    expect(at.launched.map(({ node }) => node).toSorted()).toEqual(["a", "b"]);
    for (const { secrets } of at.launched) {
      expect(secrets).toMatchObject({ ONLY_one: "one" });
      expect(secrets).not.toHaveProperty("ONLY_outer");
    }
  });
});
