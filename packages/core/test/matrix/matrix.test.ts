import { afterAll, beforeAll, expect, test } from "vitest";
import { builtins } from "../../src/engine/builtins.ts";
import type { Credentials } from "../../src/kernel/calls/context.ts";
import { createRegistry } from "../../src/kernel/calls/registry.ts";
import { type Cell, cellsOf, sweepOf } from "./callers.ts";
import { judge } from "./judge.ts";
import { SAMPLES } from "./samples.ts";
import { type Row, readTable } from "./table.ts";
import { TITLES } from "./titles.ts";
import { createWorld, differing, type World } from "./world/world.ts";

const table = readTable();
const { operations, privileges } = createRegistry([...builtins]);
const known = [...operations.keys()];

let world: World;
/** One key per privilege, with only that privilege. */
const single = new Map<string, Credentials>();
let checks = 0;
let begun = 0;
beforeAll(async () => {
  begun = performance.now();
  world = await createWorld();
  for (const id of Object.keys(TITLES)) single.set(id, await world.key({ privileges: [id] }));
});
afterAll(async () => {
  await world.stop();
  const open = [...table.keys()].filter((operation) => !operations.has(operation));
  console.log(
    `Authorization: ${known.length} operations, ${checks} checks in ${Math.round(performance.now() - begun)} ms; ` +
      `${open.length} rows wait for their operation: ${open.join(", ")}`,
  );
});

test("every operation has a row in the table and a sample", () => {
  expect(known.filter((operation) => !table.has(operation))).toEqual([]);
  expect(known.filter((operation) => !Object.hasOwn(SAMPLES, operation))).toEqual([]);
  expect(Object.keys(SAMPLES).filter((operation) => !table.has(operation))).toEqual([]);
});

test.each<[string, string, Partial<Row>]>([
  ["another privilege", "create_tag", { access: "edit_tags" }],
  ["no privilege", "create_tag", { access: "credential" }],
  ["a limit to categories", "get_tags", { category: "F" }],
  ["no limit to groups", "get_event", { group: "" }],
])("a row with %s that contradicts the engine is found", async (_what, operation, change) => {
  expect(await faultsOf({ ...rowOf(operation), ...change })).not.toEqual([]);
});

test("the privileges and their titles equal the contract's", () => {
  expect(Object.fromEntries(privileges)).toEqual(TITLES);
});

test.each(known)("%s is registered with the access of its row", (name) => {
  const access = operations.get(name)?.access;
  const registered = access?.kind === "privilege" ? access.id : access?.kind;
  const written = table.get(name)?.access;
  // The operation itself refuses keys: to the engine it is an operation for callers with credentials.
  const ofEngine = written === "credential" || written === "session" ? "credentials" : written;
  checks++;
  expect(registered).toBe(ofEngine);
});

test.each(known)("%s answers each caller as its row says", async (name) => {
  expect(await faultsOf(rowOf(name))).toEqual([]);
});

function rowOf(operation: string): Row {
  const row = table.get(operation);
  if (!row) throw new Error(`There is no row for ${operation}`);
  return row;
}

/** Most seconds between two looks of the engine at open problems. */
const DUE_SEC = 12;

/** Results that differ from the row, and changes that refused calls caused. */
async function faultsOf(row: Row): Promise<string[]> {
  const sample = SAMPLES[row.operation];
  if (!sample) throw new Error(`There is no sample for ${row.operation}`);
  const input = await sample.input(world, world.stranger);
  const cells = [...(await cellsOf(world, row, sample, input)), ...sweepOf(single, row)];
  const [admitted, refused] = [true, false].map((is) =>
    cells.filter(({ expected }) => (expected === "through") === is),
  );
  const faults: string[] = [];
  const ask = async (each: readonly Cell[] = []): Promise<void> => {
    for (const cell of each) {
      checks++;
      const fault = await judge(world, row, sample, cell, input);
      if (fault !== undefined) faults.push(`${cell.caller} ${fault}`);
    }
  };
  // While an answer waits, due work of the engine would change records, so it is done before the first dump.
  if (sample.waits) await world.clock.advance(DUE_SEC);
  const before = await world.dump();
  await ask(refused);
  faults.push(...differing(before, await world.dump()).map((name) => `refused calls changed ${name}`));
  await ask(admitted);
  return faults;
}
