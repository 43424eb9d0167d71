import { expect, test } from "vitest";
import * as z from "zod";
import { cradleProbe, startEngine } from "../../test/engine.ts";
import { anyone, defineCommand, defineQuery, defineStream } from "./calls/operation.ts";
import type { ActionType } from "./plugins/action-type.ts";
import { definePlugin, type Plugin } from "./plugins/plugin.ts";

const NAMES = ["secretKey", "previousSecretKeys", "keyProvider"];
const CURRENT = "the current key of this test";
const FORMER = "the former key of this test";
const secretKeys = [CURRENT, FORMER] as const;
/** The two ways to give keys exclude each other, and test engines have a key by default. */
const keys = { secretKeys, secretKey: undefined } as object;

/** Traces of the keys on an object itself, by every way to look. */
function keysSeenOn(given: object): string[] {
  const found = new Set<string>();
  for (const name of NAMES) {
    if (Reflect.get(given, name) !== undefined) found.add(`${name} is there`);
    if (name in given) found.add(`${name} is in it`);
  }
  for (const name in given) if (NAMES.includes(name)) found.add(`${name} is gone through`);
  for (const name of [...Object.keys(given), ...Reflect.ownKeys(given), ...Object.keys({ ...given })])
    if (NAMES.includes(String(name))) found.add(`${String(name)} is listed`);
  return [...found];
}

/** Paths of members that hold a key or have the name of one, in everything reachable from an object. */
function pathsToKeys(given: object): string[] {
  const found: string[] = [];
  const known = new Set<unknown>();
  const visit = (value: unknown, path: string): void => {
    const isKey = typeof value === "string" && secretKeys.some((key) => value.includes(key));
    if (isKey || NAMES.includes(path.split(".").at(-1) ?? "")) found.push(path);
    if (typeof value !== "object" || value === null || known.has(value) || ArrayBuffer.isView(value)) return;
    known.add(value);
    const members = value instanceof Map ? value.entries() : Object.entries(value);
    for (const [name, member] of members) visit(member, path === "" ? String(name) : `${path}.${String(name)}`);
  };
  visit(given, "");
  return found;
}

/** Inspects the container everywhere a plugin receives it. */
function spyPlugin() {
  const seen = new Map<string, object>();
  const note = (place: string) => (given: object) => {
    seen.set(place, given);
    return {};
  };
  const { promise: worked, resolve: work } = Promise.withResolvers<void>();
  const { promise: looped, resolve: loop } = Promise.withResolvers<void>();
  const look: ActionType = {
    applies: ["job"],
    target: () => "",
    async run(_run, cradle) {
      note("action")(cradle);
      return { code: 0, description: "" };
    },
  };
  const base = { access: anyone, input: z.object({}), summary: "Looks." };
  // The second one has the name of a built-in service that needs keys.
  const made = { spy: note("service"), activeJobs: note("service of a claimed name") };
  const plugin = definePlugin({
    id: "spy",
    services: made as unknown as NonNullable<Plugin["services"]>,
    operations: [
      defineCommand({
        ...base,
        name: "spy_command",
        method: "POST",
        output: z.object({}),
        handler: async (_input, { services }) => note("command")(services),
      }),
      defineQuery({
        ...base,
        name: "spy_query",
        method: "GET",
        output: z.object({}),
        handler: async (_input, { services }) => note("query")(services),
      }),
      defineStream({
        ...base,
        name: "spy_stream",
        method: "GET",
        async handler(_input, { services }) {
          note("stream")(services);
          return { status: 200, contentType: "text/plain", body: (async function* () {})() };
        },
      }),
    ],
    hooks: [{ operation: "spy_command", before: (_input, { services }) => void note("hook")(services) }],
    actionTypes: { "spy.look": look },
    workers: {
      async "spy.work"(_item, cradle) {
        note("worker")(cradle);
        work();
      },
    },
    loops: [
      {
        name: "spy.loop",
        everySec: 1,
        on: "every-node",
        async run(_now, cradle) {
          note("loop")(cradle);
          loop();
        },
      },
    ],
    on: { "signalbox.started": (_event, cradle) => void note("listener")(cradle) },
    async start(cradle) {
      note("start")(cradle);
      // Creates all services.
      Object.values(cradle);
      await cradle.transact(({ tx }) => tx.enqueue("spy.work", {}));
      const actions = [{ enabled: true, condition: "complete", type: "spy.look" }];
      await cradle.actionRunner.run({ side: "job", actions, data: {}, key: "k", signal: new AbortController().signal });
    },
    stop: async (cradle) => void note("stop")(cradle),
  });
  return { plugin, seen, all: () => Promise.all([worked, looped]) };
}

const PLACES = [
  "action",
  "command",
  "hook",
  "listener",
  "loop",
  "query",
  "service",
  "start",
  "stop",
  "stream",
  "worker",
];

test("a plugin sees no key, wherever it is given the container", async () => {
  const { plugin, seen, all } = spyPlugin();
  const engine = await startEngine({ ...keys, plugins: [plugin] });
  await engine.api.spyCommand({});
  await engine.api.spyQuery({});
  await engine.api.spyStream({});
  await all();
  await engine.stop();
  expect([...seen.keys()].toSorted()).toEqual([...PLACES, "service of a claimed name"].toSorted());
  for (const [place, given] of seen) expect([place, ...keysSeenOn(given)]).toEqual([place]);
});

test("no member of a service holds a key", async () => {
  const probe = cradleProbe();
  await using _engine = await startEngine({ ...keys, plugins: [probe.plugin] });
  expect(pathsToKeys(probe.cradle())).toEqual([]);
});
