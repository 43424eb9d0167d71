import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";
import { basic, setUp, writer } from "../../../test/work/event-setup.ts";

describe("warnings", () => {
  test("macros in parameters that are no valid expressions give a warning, and are saved", async () => {
    await using at = await setUp();
    const params = { script: "docker ps --format '{{.Names}}' {{ params.image }}", other: "{{ 1 + }}", number: 5 };
    const triggers = [{ type: "manual", enabled: true, params: { also: "{{ ( }}" } }];
    const answer = await at.api.createEvent({ ...basic, params, triggers } as never);
    expect(answer.event).toMatchObject({ params });
    expect(answer.warnings).toEqual([
      expect.stringMatching(/^Event: Failed to compile macro in parameter: other: ./),
      expect.stringMatching(/^Trigger #1: Failed to compile macro in parameter: also: ./),
    ]);
    const { warnings } = await at.api.updateEvent({
      id: "backup",
      params: { script: "{{ params.image }}" },
      triggers: [],
    });
    expect(warnings).toBeUndefined();
  });

  test("expressions of controllers that do not compile give a warning, and are saved", async () => {
    await using at = await setUp();
    const controller = (id: string, data: object) => ({ id, type: "controller", x: 0, y: 0, data });
    const nodes = [
      { id: "n1", type: "trigger", x: 0, y: 0, data: {} },
      controller("n2", { controller: "decision", decision: "1 +", split: "2 +" }),
      controller("n3", { controller: "split", split: "data.list", filter: "item ==" }),
      controller("n4", { controller: "split", split: "(", filter: " " }),
    ];
    const connections = ["n2", "n3", "n4"].map((dest, index) => ({ id: `c${index}`, source: "n1", dest }));
    const flow = { ...basic, id: "flow", type: "workflow", triggers: [{ id: "n1", type: "manual", enabled: true }] };
    const answer = await at.api.createEvent({ ...flow, workflow: { nodes, connections } } as never);
    const told = [
      "Workflow node #n2: Failed to compile expression in decision: Unexpected end of expression: 1 +",
      "Workflow node #n3: Failed to compile expression in filter: Unexpected end of expression: item ==",
      "Workflow node #n4: Failed to compile expression in split: Expression is empty",
    ];
    expect(answer.warnings).toEqual(told);
    expect((await at.api.updateEvent({ id: "flow", notes: "x" })).warnings).toEqual(told);
  });

  test("a parameter that is too long for a template gives a warning", async () => {
    await using at = await setUp({ api: { max_record_size: 4 * 1024 * 1024 } });
    const script = `{{a}}${"x".repeat(1024 * 1024)}`;
    const { warnings } = await at.api.createEvent({ ...basic, params: { script } });
    expect(warnings).toEqual(["Event: Failed to compile macro in parameter: script: Template exceeds length limit"]);
  });
});

describe("create_event", () => {
  test("stores the event with its defaults and stamps, and emits it", async () => {
    await using at = await setUp();
    const seen: string[] = [];
    at.events.on("event.created", ({ id }) => seen.push(id));
    const { event } = await at.api.createEvent({ ...basic, color: "blue" } as never);
    expect(event).toMatchObject({ ...basic, color: "blue", fields: [], limits: [], actions: [], revision: 1 });
    expect(event).toMatchObject({ username: "system", created: 1_800_000_000, modified: 1_800_000_000 });
    expect(seen).toEqual(["backup"]);
    expect(await at.activity("event_create")).toMatchObject([{ description: "Backup", event: { id: "backup" } }]);
  });

  test("makes an id that begins with e", async () => {
    await using at = await setUp();
    const { id: _id, ...rest } = basic;
    expect((await at.api.createEvent(rest)).event.id).toMatch(/^e[a-z0-9]{15}$/);
  });

  test("accepts null as the type of an event that is no workflow", async () => {
    await using at = await setUp();
    expect((await at.api.createEvent({ ...basic, type: null } as never)).event.type).toBeNull();
  });

  test("never stores how a process is started, or credentials", async () => {
    await using at = await setUp();
    const { event } = await at.api.createEvent({
      ...basic,
      command: "sh",
      env: {},
      uid: 0,
      session_id: "x",
      cwd: "/",
    } as never);
    for (const member of ["command", "env", "uid", "session_id", "cwd"]) expect(event).not.toHaveProperty(member);
  });

  test("keeps flags sent as texts as numbers", async () => {
    await using at = await setUp();
    const { event } = await at.api.createEvent({ ...basic, enabled: "1" as unknown as number });
    expect(event.enabled).toBe(1);
  });

  test("an event that needs a locked parameter is refused for callers who are not administrators", async () => {
    await using at = await setUp();
    const refusal = await refusalOf(at.as(writer).createEvent(basic));
    expect(refusal).toEqual({
      code: "api",
      description: "Event Plugin: Parameter 'script' is locked: only administrators may choose its value.",
    });
  });

  test("a magic key is stored as its token", async () => {
    await using at = await setUp();
    const triggers = [{ type: "magic", enabled: true, key: "mykey" }];
    const { event } = await at.api.createEvent({ ...basic, id: "event100", triggers } as never);
    expect(event.triggers).toEqual([
      { type: "magic", enabled: true, token: "612711e25e546fd489e8446cb144848738614b6e5dd86446a6879dd8ca38e118" },
    ]);
  });

  test("times of triggers are rounded down to the minute and their parameters completed from the fields", async () => {
    await using at = await setUp();
    const { event } = await at.api.createEvent({
      ...basic,
      fields: [
        { id: "size", type: "text", title: "Size", value: "big" },
        { id: "mode", type: "hidden", title: "Mode", value: "auto" },
      ],
      triggers: [{ type: "single", enabled: true, epoch: 1_800_000_059, params: { mode: "mine" } }],
    });
    expect(event.triggers?.[0]).toMatchObject({ epoch: 1_800_000_000, params: { size: "big", mode: "auto" } });
  });

  test("update_state becomes the state of the event and is not stored in it", async () => {
    await using at = await setUp();
    const { event } = await at.api.createEvent({ ...basic, update_state: { cursor: 600 } });
    expect(event).not.toHaveProperty("update_state");
    expect(await at.state("backup")).toMatchObject({ cursor: 600 });
  });

  const unchanged = shared(setUp);
  test.each([
    [{ title: undefined }, "Missing parameter: title"],
    [{ enabled: undefined }, "Missing parameter: enabled"],
    [{ enabled: "maybe" }, "Malformed parameter: enabled"],
    [{ category: "no/id" }, "Malformed parameter: category"],
    [{ targets: undefined }, "Event has no targets specified."],
    [{ targets: [] }, "Event has no targets specified."],
    [{ algo: undefined }, "Event has no algo specified."],
    [{ plugin: "" }, "Event has no plugin specified."],
    [{ algo: "a b" }, "Malformed parameter value: algo"],
    [{ algo: 5 }, "Malformed parameter type: algo (number)"],
    [{ type: "workflow" }, "Event has no workflow object specified."],
    [{ type: "other" }, "Malformed parameter value: type"],
    [{ params: [] }, "Malformed event parameter: params (must be object)"],
    [{ targets: "main" }, "Malformed event parameter: targets (must be array)"],
    [{ targets: ["a b"] }, "Malformed target: a b"],
    [{ targets: [undefined] }, "Malformed target: undefined"],
    [{ tags: "x" }, "Malformed event parameter: tags (must be array)"],
    [{ tags: ["no tag!"] }, "Malformed tag: no tag!"],
    [{ tags: ["unknown"] }, "Unknown tag: unknown"],
    [{ category: "nope" }, "Category not found: nope"],
    [{ plugin: "nope" }, "Plugin not found: nope"],
    [{ fields: {} }, "Malformed event parameter: fields (must be array)"],
    [{ fields: [{ id: "a", type: "x" }] }, "Malformed user field 'a': Invalid type"],
    [
      { fields: [{ id: "script", type: "text", title: "S" }] },
      "Malformed user field 'script': Invalid parameter ID: script (locked)",
    ],
    [{ triggers: [{ type: "x" }] }, "Malformed trigger entry #1: Unknown type"],
    [
      { triggers: [{ type: "plugin", plugin_id: "shellplug" }] },
      "Malformed trigger entry #1: Scheduler Plugin not found: shellplug",
    ],
    [{ limits: {} }, "Malformed event parameter: limits (must be array)"],
    [{ actions: [{}] }, "Malformed action entry #1: Missing enabled flag"],
    [
      { actions: [{ enabled: true, condition: "error", type: "run_event", event_id: "nope" }] },
      "Malformed action entry #1: Event not found: nope",
    ],
    [{ params: { script: "" } }, "Event Plugin: Parameter 'script' is required."],
    [{ params: { script: "x", _xy_override_env: 1 } }, "Event: Invalid parameter ID: _xy_override_env (reserved)"],
    [
      {
        fields: [{ id: "n", type: "text", title: "N", range: "1-3" }],
        triggers: [{ type: "schedule", enabled: true, params: { n: 9 } }],
      },
      "Malformed trigger entry #1: Parameter 'n' value is invalid (1-3).",
    ],
  ])("refuses %j", async (change, description) => {
    const at = await unchanged();
    const refusal = await refusalOf(at.api.createEvent({ ...basic, ...change } as never));
    expect(refusal).toEqual({ code: "api", description });
  });

  test.each([
    [{ count: "b" }, "Parameter 'count' value is invalid."],
    [{ count: "" }, "Parameter 'count' is required."],
    [{}, undefined],
    [{ count: "22" }, undefined],
  ])("checks the parameters %j of an action by the event that it starts", async (params, fault) => {
    await using at = await setUp();
    const fields = [{ id: "count", type: "text", title: "C", required: true, regex: "^\\d+$", value: "1" }] as const;
    await at.api.createEvent({ ...basic, id: "started", fields });
    const actions = [{ enabled: true, condition: "error", type: "run_event", event_id: "started", params }] as never;
    const refusal = { code: "api", description: `Malformed action entry #1: ${fault}` };
    const [event, category] = [
      at.api.createEvent({ ...basic, actions }),
      at.api.createCategory({ title: "C", actions }),
    ];
    if (fault === undefined) await Promise.all([event, category]);
    else expect([await refusalOf(event), await refusalOf(category)]).toEqual([refusal, refusal]);
  });

  test("keeps a stored action unchanged after the event that it starts got another parameter", async () => {
    await using at = await setUp();
    const first = await at.api.createEvent({ ...basic, id: "started" });
    const actions = [{ enabled: true, condition: "error", type: "run_event", event_id: "started" }] as never;
    const { event } = await at.api.createEvent({ ...basic, actions });
    const fields = [{ id: "why", type: "text", title: "W", required: true }] as const;
    await at.api.updateEvent({ id: first.event.id, fields });
    expect((await at.api.updateEvent({ id: event.id, enabled: false, actions })).event.enabled).toBe(false);
    expect((await refusalOf(at.api.createEvent({ ...basic, id: "other", actions }))).description).toBe(
      "Malformed action entry #1: Parameter 'why' is required.",
    );
  });

  test("says why a target expression does not compile", async () => {
    await using at = await setUp();
    const { description } = await refusalOf(at.api.createEvent({ ...basic, expression: "1 +" }));
    expect(description).toMatch(/^Failed to compile target expression: 1 \+: ./);
  });

  test("a new slow pattern of a field is refused for known callers", async () => {
    await using at = await setUp();
    const fields = [{ id: "name", type: "text", title: "Name", regex: "^(a+)+$" }];
    const refused = {
      code: "api",
      description: "Malformed user field 'name': Invalid regular expression: Regular expression takes too long",
    };
    expect(await refusalOf(at.api.createEvent({ ...basic, fields }))).toEqual(refused);
    await at.api.createEvent(basic);
    expect(await refusalOf(at.api.updateEvent({ id: basic.id, fields }))).toEqual(refused);
    expect((await refusalOf(at.as({}).createEvent({ ...basic, fields }))).code).toBe("session");
  });

  test("a taken id is refused", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    expect(await refusalOf(at.api.createEvent(basic))).toEqual({
      code: "event",
      description: "That Event ID already exists: backup",
    });
  });

  test("rights are checked before stored data are read", async () => {
    await using at = await setUp();
    const limited = keyWith(["create_events"], { categories: ["other"], groups: ["web"] });
    const elsewhere = { ...basic, plugin: "nope" };
    expect((await refusalOf(at.as(keyWith([])).createEvent(elsewhere))).code).toBe("access");
    expect(await refusalOf(at.as(limited).createEvent(elsewhere))).toEqual({
      code: "access",
      description: "You do not have the required account privileges to access category ID general.",
    });
    const inGroups = keyWith(["create_events"], { groups: ["web"] });
    expect(await refusalOf(at.as(inGroups).createEvent(elsewhere))).toEqual({
      code: "access",
      description: "You do not have the required account privileges to access targets: main.",
    });
  });

  test("a plugin of the engine needs no record", async () => {
    await using at = await setUp();
    const { event } = await at.api.createEvent({ ...basic, plugin: "_function" });
    expect(event.plugin).toBe("_function");
  });
});

test("limited callers cannot create an event with an id that a secret names, which its jobs would get", async () => {
  await using at = await setUp();
  await at.api.createSecret({ id: "z1", title: "Z", fields: [{ name: "KEY", value: "v" }], events: ["planned"] });
  const planned = { ...basic, plugin: "_function", id: "planned" };
  const limited = at.as(keyWith(["create_events"], { categories: [basic.category] }));
  expect(await refusalOf(limited.createEvent(planned))).toMatchObject({ code: "access" });
  await limited.createEvent({ ...planned, id: "free" });
  expect((await at.as(keyWith(["create_events"])).createEvent(planned)).event.id).toBe("planned");
});
