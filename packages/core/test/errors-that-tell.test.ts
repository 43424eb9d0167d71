import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createSignalbox, defineEvent, memoryStorage } from "../src/index.ts";
import { definePlugin } from "../src/plugin.ts";

const secretKey = "a key of the tests";
const run = (): number => 1;

/** Creates an engine from wrong options, like code that no compiler has checked. */
const make = (options?: object): unknown => createSignalbox(options as never);
const makeWith = (options: object): unknown => make({ storage: memoryStorage(), secretKey, ...options });
function sqliteStorage(): void {}

describe("a mistake is answered with one sentence: the option, its fault and the remedy", () => {
  test.each<[string, () => unknown, RegExp]>([
    ["no options", () => make(), /^createSignalbox: the options must be an object; it takes storage, secretKey/],
    [
      "no storage",
      () => make({ secretKey }),
      /^createSignalbox: storage is missing: give one, such as sqliteStorage\(/,
    ],
    [
      "a storage that was not called",
      () => makeWith({ storage: sqliteStorage }),
      /^createSignalbox: storage is the function sqliteStorage, which was not called: give what it makes/,
    ],
    [
      "a storage that is on its way",
      () => makeWith({ storage: Promise.resolve(memoryStorage()) }),
      /^createSignalbox: storage is a promise: wait for it with await$/,
    ],
    [
      "a name in place of a storage",
      () => makeWith({ storage: "ops.sqlite" }),
      /^createSignalbox: storage is of the type string without what is needed of it: give one, such as/,
    ],
    ["an agent that was not called", () => makeWith({ agents: [run] }), /^createSignalbox: agents is the function run/],
    [
      "a mailer without a send function",
      () => makeWith({ mailer: {} }),
      /^createSignalbox: mailer is of the type object/,
    ],
    ["events that are no list", () => makeWith({ events: {} }), /^createSignalbox: events must be a list/],
    [
      "no secret key",
      () => make({ storage: memoryStorage() }),
      /^secretKey must have at least 16 characters: make one/,
    ],
    ["a misspelt option", () => makeWith({ secretkey: "x" }), /^createSignalbox: there is no option "secretkey"; it/],
    [
      "a plugin without an id",
      () => makeWith({ plugins: [definePlugin({ operations: [] } as never)] }),
      /^plugins: a plugin with operations has no id: definePlugin\(\{ id: "acme\.deploys"/,
    ],
    ["a plugin that is none", () => makeWith({ plugins: [undefined] }), /^plugins: undefined is no plugin: give what/],
    [
      "a misspelt member of a plugin",
      () => makeWith({ plugins: [{ id: "mine", operatoins: [] }] }),
      /^Plugin mine: there is no member "operatoins"; it takes id, after, /,
    ],
    [
      "a misspelt member of an event",
      () => defineEvent({ id: "a", title: "A", run, shedule: "* * * * *" } as never),
      /^Event a: there is no member "shedule"; it takes id, title, category, defaults, schedule/,
    ],
    [
      "a function in place of an event",
      () => makeWith({ events: [defineEvent({ id: "a", title: "A", run }), run] }),
      /^createSignalbox: events has no event at place 2: give what defineEvent\(\{ id, title, run \}\) makes$/,
    ],
    [
      "two events of one id",
      () => makeWith({ events: ["A", "B"].map((title) => defineEvent({ id: "a", title, run })) }),
      /^createSignalbox: events has two events with the id a: give each its own$/,
    ],
    [
      "values in place of a schema",
      () => defineEvent({ id: "a", title: "A", run, params: { to: "x" } } as never),
      /^Event a: params is no schema: give one, such as z\.object\(\{ … \}\), and values to begin with as defaults$/,
    ],
    ["an event that is none", () => defineEvent(undefined as never), /^Event undefined: its definition must be an obj/],
  ])("%s", (_name, mistake, sentence) => {
    expect(mistake).toThrow(expect.objectContaining({ code: "option", message: expect.stringMatching(sentence) }));
  });
});

describe("an engine names missing arguments and records", () => {
  test("a missing caller and a missing listener are named", () => {
    expect(() => engine().as(undefined as never)).toThrow("as: nobody is given: name who calls by an actor");
    const listen = () => engine().events.on("alert.fired", undefined as never);
    expect(listen).toThrow('events.on("alert.fired"): its listener is no function');
  });

  const engine = () => createSignalbox({ storage: memoryStorage(), secretKey });
  const refusal = (sentence: RegExp) =>
    expect.objectContaining({ code: "api", reason: "unavailable", message: expect.stringMatching(sentence) });

  test.each(["getTags", "createTag"] as const)("before the start: %s", async (name) => {
    await expect(engine().api[name]({ title: "A" } as never)).rejects.toEqual(
      refusal(/^The engine is not running: wait for start\(\) before (?:get_tags|create_tag) is called\.$/),
    );
  });

  test.each(["getTags", "createTag"] as const)("after the stop: %s", async (name) => {
    const stopped = engine();
    await stopped.start();
    await stopped.stop();
    await expect(stopped.api[name]({ title: "A" } as never)).rejects.toEqual(
      refusal(/^The engine is not running: it was stopped before .* createSignalbox makes another one\.$/),
    );
  });

  test("an enabled event whose function was removed from the code is reported at the start", async () => {
    const storage = memoryStorage();
    const events = ["gone", "kept"].map((id) => defineEvent({ id, title: id, run }));
    const before = createSignalbox({ storage, secretKey, events });
    await before.start();
    await before.stop();
    const after = createSignalbox({ storage, secretKey, events: events.slice(1) });
    const { warnings = [] } = await after.start();
    const sentence =
      "Events are enabled whose function this program does not have: gone. Give them to createSignalbox({ events }), or disable or delete them, unless this program has no agent and another node runs them.";
    expect(warnings).toContain(sentence);
    expect((await after.api.getEvents()).warnings).toEqual([sentence]);
    expect(await after.api.getEvents({ id: "kept" } as never)).not.toHaveProperty("warnings");
    await after.stop();
  });

  test("the stop after a failed start adds no error of its own", async () => {
    const broken = memoryStorage();
    const storage = { ...broken, open: async () => Promise.reject(new Error("no such database")) };
    const failed = createSignalbox({ storage, secretKey });
    await expect(failed.start()).rejects.toThrow("no such database");
    await expect(failed.stop()).resolves.toBeUndefined();
  });

  test("unused members of the configuration are reported at the start", async () => {
    const config = { base_app_ur: "https://x", client: { nme: "A" }, api: { strict: false }, mine_too: {} } as never;
    const warned = createSignalbox({ storage: memoryStorage(), secretKey, config });
    const { warnings = [] } = await warned.start();
    expect(warnings).toContain(
      "Nothing reads these members of the configuration: base_app_ur, client.nme, mine_too. Look for a misspelling, or leave them if they are your own.",
    );
    await warned.stop();
  });

  test("an unknown category, and unknown records in actions, of an event in code are reported at the start", async () => {
    const on = { enabled: true, condition: "error" } as const;
    const actions = [
      { ...on, type: "run_event", event_id: "nope" },
      { ...on, type: "web_hook", web_hook: "nope" },
    ] as const;
    const warned = createSignalbox({
      storage: memoryStorage(),
      secretKey,
      events: [defineEvent({ id: "a", title: "A", category: "nope", run, actions })],
    });
    const { warnings = [] } = await warned.start();
    expect(warnings.filter((sentence) => sentence.startsWith("Event a"))).toEqual([
      "Event a: Category not found: nope, so no job can start. Create it, or name another one.",
      "Event a: Malformed action entry #1: Event not found: nope. Create it, or name another one.",
      'Event a: Action #2: there is no web hook "nope", so the action will fail. Create it, or name another one.',
    ]);
    await warned.stop();
  });

  test("a second start, and one after the stop", async () => {
    const started = engine();
    await started.start();
    await expect(started.start()).rejects.toThrow("was started before: call start() once");
    await started.stop();
    await expect(started.start()).rejects.toThrow("was stopped: createSignalbox makes another one");
  });
});

describe("a saved definition that will not work gives a warning beside the answer", () => {
  const BASE = {
    title: "T",
    enabled: true,
    category: "general",
    plugin: "testplug",
    targets: ["main"],
    algo: "random",
  };
  const triggers = [{ type: "manual", enabled: true }];
  const absent = (noun: string, at = 1): string =>
    `Action #${at}: there is no ${noun} "nope", so the action will fail. Create it, or name another one.`;

  async function started(options: object = {}) {
    const engine = createSignalbox({ storage: memoryStorage(), secretKey, ...options });
    await engine.start();
    return engine;
  }

  test.each([
    [{ type: "web_hook", web_hook: "nope" }, "web hook"],
    [{ type: "channel", channel_id: "nope" }, "channel"],
    [{ type: "store", bucket_id: "nope", bucket_sync: "data" }, "bucket"],
    [{ type: "email", users: ["admin", "nope"] }, "account"],
  ])("an action with %j", async (action, noun) => {
    await using engine = await started();
    const event = { ...BASE, triggers, actions: [{ enabled: true, condition: "error", ...action }] };
    const { event: made, warnings } = await engine.api.createEvent(event as never);
    expect(warnings).toEqual([absent(noun)]);
    expect((await engine.api.updateEvent({ id: made.id, title: "U" })).warnings).toEqual([absent(noun)]);
    const alert = { title: "A", expression: "monitors.load_avg > 1", message: "m" };
    const actions = [{ enabled: true, condition: "alert_new", ...action }];
    const ofAlert = await engine.api.createAlert({ ...alert, actions } as never);
    expect(ofAlert.warnings).toEqual([absent(noun)]);
  });

  test("an alert that reads a missing monitor, and a macro that is not closed", async () => {
    await using engine = await started();
    const alert = { title: "A", expression: "monitors.load_avg > 1 && monitors.lod > 1", message: "now {{ x" };
    const { alert: made, warnings } = await engine.api.createAlert(alert);
    expect(warnings).toEqual([
      "Expression: there is no monitor for monitors.lod, so it is nothing there. Create the monitor, or name another.",
      'Message: "{{ x" is not closed by "}}", so it stays as it is. Close it.',
    ]);
    const mended = { id: made.id, expression: "monitors.load_avg > 1", message: "now {{ x }}" };
    expect(await engine.api.updateAlert(mended)).not.toHaveProperty("warnings");
  });

  test("a wrong trigger is reported before a missing member, without a control character in the cause", async () => {
    await using engine = await started();
    const { algo: _none, ...event } = BASE;
    const refused = engine.api.createEvent({ ...event, triggers: [{ type: "schedul", enabled: true }] } as never);
    const error = (await refused.catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toBe("Malformed trigger entry #1: Unknown type");
    expect((error.cause as Error).message).not.toContain("u0001");
  });

  test("parameters of a run: refused by the schema of the function, a warning where they are no object", async () => {
    const events = [defineEvent({ id: "a", title: "A", params: z.object({ n: z.int() }), defaults: { n: 1 }, run })];
    await using engine = await started({ events });
    const refused = await engine.api.runEvent({ id: "a", params: { n: "many" } }).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: "api", message: expect.stringMatching(/^Parameter 'n': /) });
    expect(await engine.api.runEvent({ id: "a", params: { n: "{{ 1 + 1 }}" } })).not.toHaveProperty("warnings");
    expect((await engine.api.runEvent({ id: "a", params: [1] } as never)).warnings).toEqual([
      'params is a list and was left out: send an object, such as { "name": "value" }.',
    ]);
  });
});
