import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtins } from "../src/engine/builtins.ts";
import { createRegistry } from "../src/kernel/calls/registry.ts";
import { refusalOf } from "./engine.ts";
import { SAMPLES } from "./matrix/samples.ts";
import { type Caller, createWorld, type Members, type World } from "./matrix/world/world.ts";

/** Names of operations that change existing records. */
const UPDATE = /^(user\/)?(update|admin_update|multi_update|manage|user_settings)(_|$)/;

/** Operations with such a name that increment no revision, each with the reason. */
const UNCOUNTED: Readonly<Record<string, string>> = {
  admin_update_config: "members are paths of the configuration; each is replaced by itself",
  update_global_state: "members are paths of the state; each is replaced by itself",
  update_ticket_change: "names one entry of the history, which its author alone may edit",
  manage_job_tags: "takes two members and refuses all others; a finished job counts no changes",
  manage_job_tickets: "takes two members and refuses all others; a finished job counts no changes",
  manage_alert_invocation_tickets: "the engine changes invocations every minute; they count no changes",
};

const { operations } = createRegistry([...builtins]);
const updates = [...operations.keys()].filter((name) => UPDATE.test(name));
const counted = updates.filter((name) => !Object.hasOwn(UNCOUNTED, name));

let world: World;
let caller: Caller;
beforeAll(async () => {
  world = await createWorld();
  caller = { credentials: (await world.person({ privileges: ["admin"] })).credentials };
});
afterAll(() => world.stop());

/** A call that is admitted, and the same call with a member beside the id of the changed record. */
async function callsOf(operation: string) {
  const person = await world.person({ privileges: ["admin"] });
  const by: Caller = operation === "user_settings" || operation === "user/update" ? person : caller;
  const input = (await SAMPLES[operation]?.input(world, person)) ?? {};
  const { items } = input as { readonly items?: readonly Members[] };
  const send = (members: Members) => world.call(operation, members, by);
  const at = (more: Members): Members =>
    items ? { ...input, items: items.map((item) => ({ ...item, ...more })) } : { ...input, ...more };
  return {
    as: () => send(input),
    with: (if_revision: unknown) => send(at({ if_revision })),
    withWhole: (revision: unknown) => send(at({ revision })),
  };
}

test("every exception is an existing operation", () => {
  expect(Object.keys(UNCOUNTED).filter((name) => !updates.includes(name))).toEqual([]);
});

describe.each(counted)("%s", (operation) => {
  test("refuses a stale revision, names both, and changes nothing", async () => {
    const calls = await callsOf(operation);
    const before = await world.dump();
    const refusal = await refusalOf(calls.with(98_765));
    expect(refusal.description).toMatch(/^[A-Z][\w ]+ out of date: \w+ \(Revision mismatch: 98765 != \d+\)$/);
    expect(refusal.code).toMatch(/^[a-z_]+$/);
    expect(await world.dump()).toEqual(before);
  });

  test("accepts the stored revision as a number and as text, and no revision", async () => {
    const calls = await callsOf(operation);
    const revision = Number(/!= (\d+)\)$/.exec((await refusalOf(calls.with(98_765))).description)?.[1]);
    await calls.with(revision);
    const next = Number(/!= (\d+)\)$/.exec((await refusalOf(calls.with(98_765))).description)?.[1]);
    // Bulk changes of the order count no revision (docs/contract/records.md#order-of-lists), and jobs have none.
    expect(next - revision).toBe(/^multi_update|^update_job$/.test(operation) ? 0 : 1);
    await calls.with(String(next));
    await calls.as();
  });

  test("accepts null as no revision, and refuses malformed ones", async () => {
    const calls = await callsOf(operation);
    await calls.with("+5");
    await calls.with(null);
    for (const revision of ["x", 1.5, true, {}])
      expect(await refusalOf(calls.with(revision))).toEqual({
        code: "api",
        description: expect.stringMatching(/^(Malformed parameter|Parameter is not type \w+): (if_revision|items)$/),
      });
  });

  test("ignores the revision of a record that is posted back whole, except for an event", async () => {
    const calls = await callsOf(operation);
    if (operation !== "update_event") return await calls.withWhole(98_765);
    expect((await refusalOf(calls.withWhole(98_765))).description).toContain("Revision mismatch: 98765");
  });
});

test("every operation that increments a revision is tested here", async () => {
  const missed: string[] = [];
  for (const [operation, { kind }] of operations) {
    const sample = SAMPLES[operation];
    if (kind !== "command" || counted.includes(operation) || !sample || sample.waits) continue;
    const person = await world.person({ privileges: ["admin"] });
    const input = await sample.input(world, person);
    const id = String(input["id"] ?? input["username"] ?? "");
    const before = await revisionsOf(id);
    await world.call(operation, input, person).catch(() => undefined);
    const after = await revisionsOf(id);
    if ([...after].some(([name, revision]) => before.has(name) && before.get(name) !== revision))
      missed.push(operation);
  }
  expect(missed).toEqual([]);
});

/** Revisions of the records with an id, by collection. */
async function revisionsOf(id: string): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const [name, texts] of await world.dump()) {
    const rows = texts.filter((text) => text.includes(`"id":${JSON.stringify(id)}`)).map((text) => JSON.parse(text));
    const row: { readonly revision?: number } | undefined = rows.find((each) => each.id === id);
    if (row?.revision !== undefined) found.set(name, row.revision);
  }
  return found;
}
