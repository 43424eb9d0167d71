import { describe, expect, test } from "vitest";
import * as z from "zod";
import { cradleProbe, refusalOf, startEngine } from "../../test/engine.ts";
import { anyone, defineQuery } from "../kernel/calls/operation.ts";
import { definePlugin } from "../kernel/plugins/plugin.ts";
import { memoryStorage } from "../memory/memory-storage.ts";
import type { ConfigInput } from "./config.ts";
import { createSignalbox } from "./signalbox.ts";

const PAGER = "acme.pager";
const pagerSchema = z.object({
  retries: z.int().max(9).default(3),
  // A schema that would refuse its own output as input.
  pause: z
    .string()
    .default("2")
    .transform((text) => Number(text)),
  routes: z.object({ night: z.string().default("nobody") }).prefault({}),
});

const pager = definePlugin({
  id: PAGER,
  config: pagerSchema,
  operations: [
    defineQuery({
      name: "acme_retries",
      method: "GET",
      summary: "Tells the number of retries.",
      access: anyone,
      input: z.looseObject({}),
      output: z.object({ own: z.unknown() }),
      handler: async (_input, { config }) => ({ own: config[PAGER] }),
    }),
  ],
});

const make = (config: Record<string, unknown>, plugins: Parameters<typeof createSignalbox>[0]["plugins"] = [pager]) =>
  createSignalbox({ storage: memoryStorage(), secretKey: "a key of the tests", config, ...(plugins && { plugins }) });

async function setUp(section?: Record<string, unknown>, storage = memoryStorage()) {
  const probe = cradleProbe();
  const config = { presets: false, ...(section && { [PAGER]: section }) } as ConfigInput;
  const engine = await startEngine({ plugins: [pager, probe.plugin], config, storage });
  const seen = async () => ({ context: (await engine.api.acmeRetries()).own, service: probe.cradle().config[PAGER] });
  const set = (values: Record<string, unknown>) => engine.api.adminUpdateConfig(values as Record<string, never>);
  return { ...engine, seen, set, [Symbol.asyncDispose]: () => engine.stop() };
}

const DEFAULTS = { retries: 3, pause: 2, routes: { night: "nobody" } };

describe("the configuration section of a plugin", () => {
  test.each([
    ["has its defaults when nothing was given", undefined, DEFAULTS],
    ["has what was given", { retries: 5, pause: "7" }, { ...DEFAULTS, retries: 5, pause: 7 }],
    ["keeps members that its schema does not know", { more: { a: 1 } }, { ...DEFAULTS, more: { a: 1 } }],
  ])("%s, in contexts and services", async (_what, given, expected) => {
    await using at = await setUp(given);
    expect(await at.seen()).toEqual({ context: expected, service: expected });
    expect((await at.api.adminGetConfig()).config[PAGER]).toEqual(expected);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["a wrong member", { [PAGER]: { retries: 10 } }, "Configuration acme.pager.retries: "],
    ["a wrong member further down", { [PAGER]: { routes: { night: 5 } } }, "Configuration acme.pager.routes.night: "],
    ["a value that is no section", { [PAGER]: null }, "Configuration acme.pager: "],
  ])("is refused for %s when the engine is created", (_what, config, message) => {
    expect(() => make(config)).toThrow(message);
  });

  test("is refused when it lacks a member without a default", () => {
    const strict = definePlugin({ id: "acme.key", config: z.strictObject({ key: z.string() }) });
    expect(() => make({}, [strict])).toThrow("Configuration acme.key.key: ");
    expect(() => make({ "acme.key": { key: "k", other: 1 } }, [strict])).toThrow("Configuration acme.key: ");
    expect(make({ "acme.key": { key: "k" } }, [strict]).config["acme.key"]).toEqual({ key: "k" });
  });

  test("may not replace a member of the product", () => {
    const taken = definePlugin({ id: "airgap", config: z.object({}) });
    expect(() => make({}, [taken])).toThrow(
      "Plugin airgap cannot have a configuration of its own, since airgap is a member of the configuration already",
    );
    expect(() => make({}, [definePlugin({ id: "airgap" })])).not.toThrow();
  });
});

describe("the section of a plugin, while the engine runs", () => {
  test("is set by paths that begin with the name of the plugin", async () => {
    await using at = await setUp({ retries: 5, pause: "7", more: 1 });
    const held = at.config[PAGER];
    await at.set({ "acme.pager.retries": 6, "acme.pager.routes.night": "ann" });
    const expected = { retries: 6, pause: 7, routes: { night: "ann" }, more: 1 };
    expect(await at.seen()).toEqual({ context: expected, service: expected });
    expect(at.config[PAGER]).toBe(held);
    expect(at.config).not.toHaveProperty("acme");
  });

  test("is set as a whole, and absent members get their defaults", async () => {
    await using at = await setUp({ retries: 5 });
    await at.set({ [PAGER]: { pause: "4" } });
    expect((await at.seen()).service).toEqual({ ...DEFAULTS, pause: 4 });
  });

  test("stays unchanged when another section is set", async () => {
    await using at = await setUp({ pause: "7" });
    await at.set({ "client.name": "A" });
    await at.set({ "client.name": "B" });
    expect((await at.seen()).service).toEqual({ ...DEFAULTS, pause: 7 });
  });

  test("refuses a wrong value, naming the path", async () => {
    await using at = await setUp();
    const { description } = await refusalOf(at.set({ "acme.pager.retries": 10 }));
    expect(description).toContain("acme.pager.retries");
    expect((await at.seen()).service).toEqual(DEFAULTS);
  });

  test("applies again after the next start", async () => {
    const storage = memoryStorage();
    await using first = await setUp(undefined, storage);
    await first.set({ "acme.pager.retries": 8 });
    await first.stop();
    await using second = await setUp(undefined, storage);
    expect((await second.seen()).service).toEqual({ ...DEFAULTS, retries: 8 });
  });
});
