import { describe, expect, test } from "vitest";
import { keyWith, refusalOf, startEngine } from "../../../test/engine.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { Plugin } from "../../kernel/plugin.ts";
import type { Services } from "../../kernel/services.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { activeJobCollection, jobCollection } from "../jobs/collection.ts";
import type { Job } from "../jobs/model.ts";
import { eventStateCollection } from "./collection.ts";

type Launched = Parameters<Services["launcher"]["launch"]>[1];

/** Stands in for the jobs domain: remembers what was asked for. */
function fakeLauncher() {
  const launched: Launched[] = [];
  let refusal: string | undefined;
  const launcher: Services["launcher"] = {
    async launch(_unit, request) {
      if (refusal) throw new DomainError("job", "conflict", refusal);
      launched.push(request);
      return { id: `j${launched.length}`, event: request.event.id, state: "ready", started: 0 } satisfies Job;
    },
    launchIdempotent: () => Promise.reject(new Error("Nobody asks for this here")),
    storeLaunched: async () => undefined,
  };
  const plugin: Plugin<readonly []> = { id: "fake-launcher", services: { launcher: () => launcher } };
  return { plugin, launched, refuse: (text: string) => (refusal = text) };
}

async function setUp(config: Record<string, unknown> = {}) {
  const launcher = fakeLauncher();
  const storage = memoryStorage();
  const engine = await startEngine({ storage, plugins: [launcher.plugin], config });
  return {
    ...engine,
    ...launcher,
    storage,
    activity: (action: string) =>
      storage.read(async (tx) =>
        (await tx.collection(activityCollection).list()).filter((row) => row.action === action),
      ),
    state: (id: string) => storage.read((tx) => tx.collection(eventStateCollection).get(id)),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

const basic = {
  id: "backup",
  title: "Backup",
  enabled: true,
  category: "general",
  plugin: "shellplug",
  params: { script: "echo hi" },
  targets: ["main"],
  algo: "random",
  triggers: [{ type: "manual" as const, enabled: true }],
};
const writer = keyWith(["create_events", "edit_events", "delete_events", "run_jobs"]);

describe("warnings", () => {
  test("macros in parameters that are no expressions are told, and saved all the same", async () => {
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

  test("a parameter that is too long for a template is told too", async () => {
    await using at = await setUp({ api: { max_record_size: 4 * 1024 * 1024 } });
    const script = `{{a}}${"x".repeat(1024 * 1024)}`;
    const { warnings } = await at.api.createEvent({ ...basic, params: { script } });
    expect(warnings).toEqual(["Event: Failed to compile macro in parameter: script: Template exceeds length limit"]);
  });
});

describe("create_event", () => {
  test("stores the event with its defaults and stamps, and tells of it", async () => {
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

  test("never stores how a process is started, nor credentials", async () => {
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

  test("keeps text flags as what they say", async () => {
    await using at = await setUp();
    const { event } = await at.api.createEvent({ ...basic, enabled: "1" as unknown as number });
    expect(event.enabled).toBe(1);
  });

  test("a locked parameter of the plugin takes its default for callers who are no administrators", async () => {
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

  test("times of triggers are floored to the minute and their parameters filled from the fields", async () => {
    await using at = await setUp();
    const { event } = await at.api.createEvent({
      ...basic,
      fields: [
        { id: "size", type: "text", title: "Size", value: "big" },
        { id: "mode", type: "hidden", title: "Mode", value: "auto" },
      ],
      triggers: [{ type: "single", enabled: true, epoch: 1_800_000_059, params: { mode: "mine" } }],
    });
    expect(event.triggers[0]).toMatchObject({ epoch: 1_800_000_000, params: { size: "big", mode: "auto" } });
  });

  test("update_state becomes the state of the event and is not stored in it", async () => {
    await using at = await setUp();
    const { event } = await at.api.createEvent({ ...basic, update_state: { cursor: 600 } });
    expect(event).not.toHaveProperty("update_state");
    expect(await at.state("backup")).toMatchObject({ cursor: 600 });
  });

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
    await using at = await setUp();
    const refusal = await refusalOf(at.api.createEvent({ ...basic, ...change } as never));
    expect(refusal).toEqual({ code: "api", description });
  });

  test("tells why a target expression does not compile", async () => {
    await using at = await setUp();
    const { description } = await refusalOf(at.api.createEvent({ ...basic, expression: "1 +" }));
    expect(description).toMatch(/^Failed to compile target expression: 1 \+: ./);
  });

  test("a taken id is refused", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    expect(await refusalOf(at.api.createEvent(basic))).toEqual({
      code: "event",
      description: "That Event ID already exists: backup",
    });
  });

  test("rights come before anything that reads stored data", async () => {
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

describe("get_events", () => {
  test("filters by any member, in the spelling of queries", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.createEvent({ ...basic, id: "off", enabled: 0, tags: ["flag"] });
    const ids = async (filter: Record<string, unknown>) => (await at.api.getEvents(filter)).rows.map(({ id }) => id);
    expect(await ids({ enabled: "true" })).toEqual(["backup"]);
    expect(await ids({ enabled: "1" })).toEqual(["backup"]);
    expect(await ids({ enabled: "false" })).toEqual(["off"]);
    expect(await ids({ tags: "flag", revision: "1" })).toEqual(["off"]);
    expect(await ids({ plugin: "nope" })).toEqual([]);
  });

  test("pages, and tells how many it returned", async () => {
    await using at = await setUp();
    for (const id of ["a", "b", "c"]) await at.api.createEvent({ ...basic, id });
    const page = await at.api.getEvents({ offset: 1, limit: 1 });
    expect(page).toMatchObject({ rows: [{ id: "b" }], list: { length: 1 } });
  });

  test("hides what the caller may not see", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const visible = async (groups: string[]) => (await at.as(keyWith([], { groups })).getEvents()).rows.length;
    expect([await visible(["main"]), await visible(["web"])]).toEqual([1, 0]);
  });
});

describe("get_event", () => {
  test("counts active and queued jobs", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.storage.write(async (tx) => {
      for (const [id, state] of [
        ["j1", "active"],
        ["j2", "queued"],
        ["j3", "queued"],
      ] as const)
        await tx.collection(activeJobCollection).insert(activeJob(id, state));
    });
    const { jobs, queued, event } = await at.api.getEvent({ id: "backup" });
    expect(event.id).toBe("backup");
    expect(jobs.map(({ id }) => id)).toEqual(["j1"]);
    expect(queued).toBe(2);
  });

  test("an unknown id is not found", async () => {
    await using at = await setUp();
    const refusal = await refusalOf(at.api.getEvent({ id: "nope" }));
    expect(refusal).toEqual({ code: "notfound", description: "Failed to locate event: nope" });
  });
});

const activeJob = (id: string, state: Job["state"]) =>
  ({
    id,
    launched: 1,
    details: { activity: [] },
    job: { id, event: "backup", category: "general", targets: ["main"], state, started: 1 },
  }) as never;

describe("get_event_history", () => {
  test("tells the changes with the event of each moment, and not where they came from", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.createEvent({ ...basic, id: "other" });
    await at
      .as(keyWith(["edit_events"], { id: "backup" }))
      .updateEvent({ id: "other", notes: "by a key of that name" });
    await at.api.updateEvent({ id: "backup", title: "Second" });
    const first = await at.api.getEventHistory({ id: "backup" });
    expect(first).toMatchObject({
      list: { length: 2 },
      rows: [{ action: "event_update", event: { title: "Second" } }],
    });
    expect(first.rows[0]).not.toHaveProperty("ip");
    expect(first.rows[0]).not.toHaveProperty("ips");
    expect(first.rows[0]).not.toHaveProperty("headers");
    const all = await at.api.getEventHistory({ id: "backup", limit: 10, sort_dir: 1 });
    expect(all.rows.map(({ action, event }) => [action, (event as { revision: number }).revision])).toEqual([
      ["event_create", 1],
      ["event_update", 2],
    ]);
    const rest = await at.api.getEventHistory({ id: "backup", offset: 1, limit: 10 });
    expect(rest.rows.map(({ action }) => action)).toEqual(["event_create"]);
  });

  test("is for those who may see an event that still exists", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const refused = (input: { id: string; sort_by?: string }, limits = {}) =>
      refusalOf(at.as(keyWith([], limits)).getEventHistory(input));
    expect(await refused({ id: "backup" }, { categories: ["x"] })).toMatchObject({ code: "access" });
    expect(await refused({ id: "backup" }, { groups: ["x"] })).toMatchObject({ code: "access" });
    expect(await refused({ id: "nope" })).toEqual({ code: "event", description: "Event not found: nope" });
    expect(await refused({ id: "backup", sort_by: "x" })).toEqual({
      code: "db",
      description: "Failed DB search: Error: Cannot find sorter: x",
    });
  });
});

describe("update_event", () => {
  test("replaces sent members only and moves the revision", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const { event } = await at.api.updateEvent({
      id: "backup",
      title: "New",
      type: "workflow",
      username: "x",
      created: 1,
    } as never);
    expect(event).toMatchObject({ ...basic, title: "New", revision: 2, username: "system", created: 1_800_000_000 });
    expect(event).not.toHaveProperty("type");
  });

  test("refuses an outdated revision", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.updateEvent({ id: "backup", revision: 1, title: "A" });
    expect(await refusalOf(at.api.updateEvent({ id: "backup", revision: 1, title: "B" }))).toEqual({
      code: "event",
      description: "Event out of date: backup (Revision mismatch: 1 != 2)",
    });
  });

  test("validates the merged event as a whole", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const refusal = await refusalOf(at.api.updateEvent({ id: "backup", params: {} }));
    expect(refusal.description).toBe("Event Plugin: Parameter 'script' is required.");
    expect((await refusalOf(at.api.updateEvent({ id: "backup", targets: [] }))).description).toBe(
      "Event has no targets specified.",
    );
  });

  test("keeps the locked value for callers who are no administrators", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const { event } = await at.as(writer).updateEvent({ id: "backup", params: { script: "rm", annotate: true } });
    expect(event.params).toEqual({ script: "echo hi", annotate: true });
  });

  test("takes no steps for numbers", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, level: 5 } as never);
    const refusal = await refusalOf(at.api.updateEvent({ id: "backup", level: "+1" } as never));
    expect(refusal.description).toBe("Malformed parameter value: level");
  });

  test("leaves triggers that were not sent as they are", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, triggers: [{ type: "magic", enabled: true, key: "k" }] });
    const { event } = await at.api.updateEvent({ id: "backup", title: "New" });
    expect(event.triggers[0]?.["token"]).toMatch(/^[0-9a-f]{64}$/);
  });

  test("checks the rights on the stored and on the merged event", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const limited = at.as(keyWith(["edit_events"], { groups: ["web"] }));
    expect((await refusalOf(limited.updateEvent({ id: "backup", targets: ["web"] }))).code).toBe("access");
    const owner = at.as(keyWith(["edit_events"], { groups: ["main"] }));
    expect((await refusalOf(owner.updateEvent({ id: "backup", targets: ["web"] }))).code).toBe("access");
  });

  test("a moved cursor begins a replay", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.updateEvent({ id: "backup", update_state: { cursor: 60 } });
    expect(await at.state("backup")).toEqual({ id: "backup", cursor: 60, replay: 1 });
  });

  test("an unknown id is refused", async () => {
    await using at = await setUp();
    const refusal = await refusalOf(at.api.updateEvent({ id: "nope" }));
    expect(refusal).toEqual({ code: "event", description: "Event not found: nope" });
  });
});

describe("update_state", () => {
  test("sets what the scheduler and the jobs remember, and is shown with the global state", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, update_state: { nth: 2, robin: 3, custom: "kept", replay: 9, pending: [] } });
    const shown = async () => ((await at.api.getGlobalState()).state as { events: unknown }).events;
    expect(await shown()).toEqual({ backup: { nth: 2, robin: 3, custom: "kept" } });
    await at.api.updateEvent({ id: "backup", update_state: { last_code: "warning", robin: 1 } });
    expect(await shown()).toEqual({ backup: { nth: 2, robin: 1, custom: "kept", last_code: "warning" } });
    await at.api.deleteEvent({ id: "backup" });
    expect(await shown()).toEqual({});
  });

  test.each(["cursor", "nth", "robin"])("takes a number for %s alone", async (member) => {
    await using at = await setUp();
    for (const value of ["5", "", {}])
      expect(await refusalOf(at.api.createEvent({ ...basic, update_state: { [member]: value } }))).toEqual({
        code: "api",
        description: `Malformed event parameter: update_state (${member} must be a number)`,
      });
  });
});

describe("delete_event", () => {
  test("removes the event and its state", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, update_state: { cursor: 60 } });
    await at.api.deleteEvent({ id: "backup" });
    expect(await at.state("backup")).toBeUndefined();
    expect((await at.api.getEvents()).rows).toEqual([]);
    expect(await at.activity("event_delete")).toMatchObject([{ event: { id: "backup" } }]);
  });

  test("takes its finished jobs along when asked to", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.createEvent({ ...basic, id: "other" });
    const final = (id: string, event: string) =>
      ({ id, event, category: "general", state: "complete", started: 1, completed: 2, elapsed: 1, code: 0 }) as never;
    await at.storage.write(async (tx) => {
      for (let index = 0; index < 150; index++) await tx.collection(jobCollection).insert(final(`j${index}`, "backup"));
      await tx.collection(jobCollection).insert(final("kept", "other"));
      const later = { ...(final("later", "backup") as object), completed: at.clock.now() + 60 };
      await tx.collection(jobCollection).insert(later as never);
    });
    await at.api.deleteEvent({ id: "backup", delete_jobs: true });
    await at.clock.advance(5);
    const left = await at.storage.read((tx) => tx.collection(jobCollection).list());
    // One that ended afterwards belongs to an event that was made anew under the id.
    expect(left.map(({ id }) => id)).toEqual(["kept", "later"]);
  });

  test("is refused while a job is active", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.storage.write((tx) => tx.collection(activeJobCollection).insert(activeJob("j1", "queued")));
    expect(await refusalOf(at.api.deleteEvent({ id: "backup" }))).toEqual({
      code: "event",
      description: "Failed to delete event: 1 active jobs found",
    });
  });
});

describe("run_event", () => {
  const fields = [
    { id: "size", type: "text", title: "Size", value: "big" },
    { id: "count", type: "text", title: "Count", range: "1-3" },
    { id: "fixed", type: "text", title: "Fixed", value: "f", locked: true },
  ];

  test("launches with sent values over those of the event over defaults", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, fields, params: { script: "x", count: 1 } });
    expect(await at.api.runEvent({ id: "backup", params: { count: 2 }, input: { data: { a: 1 } } })).toEqual({
      id: "j1",
    });
    expect(at.launched[0]).toMatchObject({
      source: "user",
      username: "system",
      params: { script: "x", size: "big", count: 2, fixed: "f" },
      input: { data: { a: 1 } },
      targets: ["main"],
    });
  });

  test("a key is the source of its runs and cannot choose locked values", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, fields });
    await at.as(writer).runEvent({ id: "backup", params: { script: "rm", fixed: "mine", size: "s" } });
    expect(at.launched[0]).toMatchObject({ source: "key", username: "ktest" });
    expect(at.launched[0]?.params).toEqual({ script: "echo hi", size: "s", fixed: "f" });
  });

  test("merges json and flat names", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, fields });
    await at.api.runEvent({ title: "Backup", "params/size": "flat", json: '{"label":"L","tags":["flag"]}' } as never);
    expect(at.launched[0]).toMatchObject({ params: { size: "flat" }, overrides: { label: "L" }, tags: ["flag"] });
  });

  test("drops members that are not the caller's to set", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.runEvent({
      id: "backup",
      command: "sh",
      category: "other",
      label: "L",
      priority: "1" as never,
    } as never);
    expect(at.launched[0]?.overrides).toEqual({ label: "L", priority: true });
  });

  test("honours a delay of the start", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.runEvent({ id: "backup", state: "start_delay", until: 1_800_000_100 });
    await at.api.runEvent({ id: "backup", state: "active", until: 1_800_000_100 } as never);
    expect(at.launched.map(({ until }) => until)).toEqual([1_800_000_100, undefined]);
  });

  test("strict overrides leave callers without edit_events only the harmless ones", async () => {
    await using at = await setUp({ run_event_overrides: "strict" });
    await at.api.createEvent(basic);
    await at.as(keyWith(["run_jobs"])).runEvent({ id: "backup", label: "L", algo: "least_cpu", limits: [] });
    await at.as(writer).runEvent({ id: "backup", algo: "least_cpu" });
    expect(at.launched.map(({ overrides }) => overrides)).toEqual([{ label: "L" }, { algo: "least_cpu" }]);
  });

  test.each([
    [{}, "event", "Failed to locate event: No criteria specified"],
    [{ id: "nope" }, "event", "Event not found: nope"],
    [{ title: "Nope" }, "event", "Event not found: Nope"],
    [{ id: "off" }, "event", "Event is disabled: off"],
    [{ id: "clock" }, "event", "Event does not allow manual job runs: clock"],
    [{ id: "backup", input: [] }, "api", "Malformed event parameter: input (must be object)"],
    [{ id: "backup", params: { count: 9 } }, "api", "Event: Parameter 'count' value is invalid (1-3)."],
    [{ id: "backup", params: { script: "" } }, "api", "Event Plugin: Parameter 'script' is required."],
    [{ id: "backup", algo: "a b" }, "api", "Malformed parameter value: algo"],
    [{ id: "backup", tags: ["nope"] }, "api", "Unknown tag: nope"],
    [{ id: "backup", json: '{"__proto__":{}}' }, "api", "Invalid parameter: __proto__ (illegal key)"],
  ])("%j is refused", async (input, code, description) => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, fields });
    await at.api.createEvent({ ...basic, id: "off", title: "Off", enabled: false });
    await at.api.createEvent({ ...basic, id: "clock", title: "Clock", triggers: [] });
    expect(await refusalOf(at.api.runEvent(input as never))).toEqual({ code, description });
    expect(at.launched).toEqual([]);
  });

  test("a test run needs neither an enabled event nor a manual trigger", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, enabled: false, triggers: [] });
    await at.api.runEvent({ id: "backup", test: true });
    expect(at.launched).toMatchObject([{ test: true }]);
  });

  test("the refusal of the launcher is passed on", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    at.refuse("Category is disabled: General");
    expect(await refusalOf(at.api.runEvent({ id: "backup" }))).toEqual({
      code: "event",
      description: "Failed to launch job: Category is disabled: General",
    });
  });

  test("targets that a parameter puts in place obey the caller's groups", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const limited = at.as(keyWith(["run_jobs"], { groups: ["main"] }));
    const refusal = await refusalOf(limited.runEvent({ id: "backup", params: { _xy_override_targets: "web,db" } }));
    expect(refusal.description).toBe("You do not have the required account privileges to access targets: web, db.");
  });

  test("broken json is told", async () => {
    await using at = await setUp();
    const { code, description } = await refusalOf(at.api.runEvent({ json: "{" }));
    expect([code, description]).toEqual(["api", expect.stringMatching(/^Failed to parse JSON: /)]);
  });
});
