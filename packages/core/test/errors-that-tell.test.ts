import { describe, expect, test } from "vitest";
import { createSignalbox, defineEvent, memoryStorage } from "../src/index.ts";
import { definePlugin } from "../src/plugin.ts";

const secretKey = "a key of the tests";
const run = (): number => 1;

/** What programmers write by mistake, as code that no compiler has seen. */
const make = (options?: object): unknown => createSignalbox(options as never);
const makeWith = (options: object): unknown => make({ storage: memoryStorage(), secretKey, ...options });
function sqliteStorage(): void {}

describe("a mistake is answered with one sentence, of the thing, what it is, and what to do", () => {
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
    ["a mailer that sends nothing", () => makeWith({ mailer: {} }), /^createSignalbox: mailer is of the type object/],
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
      /^Event a: there is no member "shedule"; it takes id, title, category, params, input, defaults, schedule/,
    ],
    ["an event that is none", () => defineEvent(undefined as never), /^Event undefined: its definition must be an obj/],
  ])("%s", (_name, mistake, sentence) => {
    expect(mistake).toThrow(expect.objectContaining({ code: "option", message: expect.stringMatching(sentence) }));
  });
});

describe("an engine says what is missing", () => {
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

  test("an event that is enabled and whose function left the code is told at the start", async () => {
    const storage = memoryStorage();
    const events = ["gone", "kept"].map((id) => defineEvent({ id, title: id, run }));
    const before = createSignalbox({ storage, secretKey, events });
    await before.start();
    await before.stop();
    const after = createSignalbox({ storage, secretKey, events: events.slice(1) });
    const { warnings = [] } = await after.start();
    expect(warnings).toContain(
      "Events are enabled whose function this program does not have: gone. Give them to createSignalbox({ events }), or disable or delete them.",
    );
    await after.stop();
  });

  test("a second start, and one after the stop", async () => {
    const started = engine();
    await started.start();
    await expect(started.start()).rejects.toThrow("was started before: call start() once");
    await started.stop();
    await expect(started.start()).rejects.toThrow("was stopped: createSignalbox makes another one");
  });
});
