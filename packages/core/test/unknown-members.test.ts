import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtins } from "../src/engine/builtins.ts";
import { createAcceptedMembers } from "../src/kernel/calls/accepted-members.ts";
import { systemActor } from "../src/kernel/calls/context.ts";
import { createRegistry } from "../src/kernel/calls/registry.ts";
import { unknownMembers } from "../src/wire/schemas/known-members.ts";
import { refusalOf, startEngine } from "./engine.ts";
import { SAMPLES } from "./matrix/samples.ts";
import { createWorld, type Members, type World } from "./matrix/world/world.ts";

/** Operations whose members are data of the caller, each with its reason. */
const FREE: Readonly<Record<string, string>> = {
  echo: "answers whatever it gets",
  admin_update_config: "members are paths of the configuration",
  update_global_state: "members are paths of the state",
  magic: "members are values for the fields of the event",
  heartbeat: "belongs to the work that calls the address",
  ack: "belongs to the browser that opens the link",
  form: "belongs to the browser that opens the link",
  form_config: "belongs to the browser that opens the link",
  satellite: "belongs to the installer of an agent",
};
/** Operations that themselves refuse unknown members. */
const REFUSING = ["user_settings", "manage_job_tags", "manage_job_tickets"];

const { operations } = createRegistry([...builtins]);
const all = [...operations].filter(([, { kind }]) => kind !== "stream").map(([name]) => name);
const checked = all.filter((name) => !Object.hasOwn(FREE, name));

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

async function attempt(operation: string, more: Members) {
  const sample = SAMPLES[operation];
  const person = await world.person({ privileges: ["admin"] });
  const input = { ...(await sample?.input(world, person)), ...more };
  const by = sample?.token ? {} : person;
  try {
    return (await world.call(operation, { ...input, ...(await sample?.token?.(world)) }, by, sample?.waits)) as Members;
  } catch (error) {
    return { refused: (error as { code: string }).code };
  }
}

test("every exception is an existing operation", () => {
  expect([...Object.keys(FREE), ...REFUSING].filter((name) => !operations.has(name))).toEqual([]);
});

test.each(checked)("%s names an unknown member, and no known one", async (operation) => {
  expect(await attempt(operation, {})).not.toHaveProperty("unknown");
  const answer = await attempt(operation, { zz_misspelt: 1 });
  if (!("refused" in answer)) expect(answer["unknown"]).toEqual(["zz_misspelt"]);
});

test.each(all.filter((name) => Object.hasOwn(FREE, name)))("%s names nothing", async (operation) => {
  expect(await attempt(operation, { zz_misspelt: 1 })).not.toHaveProperty("unknown");
});

describe("a misspelt member", () => {
  const ALERT = { title: "T", expression: "monitors.load_avg > 1", message: "m" };

  test("is kept, and named beside the answer", async () => {
    await using engine = await startEngine();
    const { alert, unknown } = await engine.api.createAlert({ ...ALERT, samples: 2, sampels: 5 } as never);
    expect(unknown).toEqual(["sampels"]);
    expect(alert).toMatchObject({ samples: 2, sampels: 5 });
    expect(await engine.api.updateAlert({ id: alert.id, samples: 3 })).not.toHaveProperty("unknown");
  });

  test("inside of triggers, limits, actions and fields is named by its path", async () => {
    await using engine = await startEngine();
    const { unknown } = await engine.api.createEvent({
      ...{ title: "T", enabled: true, category: "general", plugin: "testplug", targets: ["main"], algo: "random" },
      triggers: [
        { type: "manual", enabled: true },
        { type: "schedule", enabled: true, minuts: [5] },
      ],
      limits: [{ type: "job", enabled: true, amount: 1, wieght: 2 }],
      actions: [{ type: "email", enabled: true, condition: "error", email: "a@example.com", boddy: "x" }],
      fields: [{ id: "f", title: "F", type: "text", requierd: true, data: { any: 1 } }],
      params: { of: { the: "caller" } },
    } as never);
    expect(unknown).toEqual(["triggers.1.minuts", "limits.0.wieght", "actions.0.boddy", "fields.0.requierd"]);
  });

  test("of a search is named, because it would narrow nothing", async () => {
    await using engine = await startEngine();
    expect(await engine.api.searchJobs({ querry: "code:0" } as never)).toMatchObject({ unknown: ["querry"] });
    expect(await engine.api.getEvents({ categroy: "general" } as never)).toMatchObject({ unknown: ["categroy"] });
    expect(await engine.api.getEvents({ category: "general", "params/a": 1 } as never)).not.toHaveProperty("unknown");
  });

  test("of a bulk change is named with its item", async () => {
    await using engine = await startEngine();
    const items = [
      { id: "general", sort_order: 1 },
      { id: "general", sortorder: 2 },
    ];
    expect(await engine.api.multiUpdateCategory({ items } as never)).toEqual({ unknown: ["items.1.sortorder"] });
  });

  test("is one of many that are named up to a bound, with long names cut", async () => {
    await using engine = await startEngine();
    const many = Object.fromEntries(Array.from({ length: 500 }, (_value, n) => [`x${n}${"y".repeat(300)}`, 1]));
    const { unknown = [] } = await engine.api.createTag({ title: "T", ...many });
    expect(unknown).toHaveLength(20);
    expect(unknown[0]).toHaveLength(100);
  });
});

describe("strict mode", () => {
  test("refuses unknown members, by configuration, and stores nothing", async () => {
    await using engine = await startEngine({ config: { api: { strict: true } } });
    const { length } = (await engine.api.getTags()).list;
    expect(await refusalOf(engine.api.createTag({ title: "T", icno: "x", nots: "y" } as never))).toEqual({
      code: "api",
      description: "Unknown parameters: icno, nots",
    });
    expect((await engine.api.getTags()).list.length).toBe(length);
    await engine.api.createTag({ title: "T", icon: "x" });
    expect(await refusalOf(engine.execute({ operation: "get_tags", input: { x: 1 }, actor: systemActor }))).toEqual({
      code: "api",
      description: "Unknown parameter: x",
    });
  });

  test("applies to one call that asks for it", async () => {
    await using engine = await startEngine();
    const call = { operation: "create_tag", input: { title: "T", icno: "x" } };
    expect(await refusalOf(engine.execute({ ...call, actor: systemActor, strict: true }))).toEqual({
      code: "api",
      description: "Unknown parameter: icno",
    });
    expect(await engine.execute({ ...call, actor: systemActor })).toMatchObject({ unknown: ["icno"] });
  });

  test("does not cost a job its result", async () => {
    const strict = await createWorld({ api: { strict: true } });
    try {
      const person = await strict.person({ privileges: ["admin"] });
      const input = await SAMPLES["finish_job"]?.input(strict, person);
      expect(await strict.call("finish_job", { ...input, of_a_later_agent: 1 }, {})).toEqual({
        unknown: ["of_a_later_agent"],
      });
    } finally {
      await strict.stop();
    }
  });
});

const HELD: Readonly<Record<string, readonly Members[]>> = JSON.parse(
  readFileSync(new URL("fixtures/held-records.json", import.meta.url), "utf8"),
);

test.each(Object.keys(HELD))("every member of the records that installations have is known: %s", (noun) => {
  const accepted = createAcceptedMembers(createRegistry([...builtins]));
  const writing = [`create_${noun}`, `update_${noun}`].flatMap((name) => operations.get(name) ?? []);
  expect(writing.length).toBeGreaterThan(0);
  for (const operation of writing) {
    const known = accepted(operation);
    expect(known).toBeDefined();
    for (const record of HELD[noun] ?? []) expect(known && unknownMembers(known, record)).toBeUndefined();
  }
});

test("all members of real agents' job updates are known", () => {
  const text = readFileSync(new URL("../src/testing/fixtures/jobs-final.json", import.meta.url), "utf8");
  const calls = [JSON.parse(text)].flat() as Members[];
  const finish = operations.get("finish_job");
  const known = finish && createAcceptedMembers(createRegistry([...builtins]))(finish);
  for (const call of calls)
    expect(known && unknownMembers(known, { id: "j", auth: "a", server: "s", job: call })).toBeUndefined();
});
