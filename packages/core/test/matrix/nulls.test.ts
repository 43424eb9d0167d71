import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { builtins } from "../../src/engine/builtins.ts";
import type { Credentials } from "../../src/kernel/calls/context.ts";
import { createRegistry } from "../../src/kernel/calls/registry.ts";
import { SignalboxError } from "../../src/kernel/errors/errors.ts";
import { refusalOf } from "../engine.ts";
import { SAMPLES } from "./samples.ts";
import { createWorld, type Members, type World } from "./world/world.ts";

const { operations } = createRegistry([...builtins]);
const named = (pattern: RegExp) => [...operations.keys()].filter((name) => pattern.test(name));

/** Members that a record must have: `null` is refused. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  category: ["title", "sort_order"],
  group: ["title", "hostname_match", "sort_order"],
  monitor: ["title", "source", "data_type", "sort_order"],
  alert: ["title", "expression", "message"],
  web_hook: ["title", "url", "method"],
  plugin: ["title", "type", "command"],
  event: ["title", "enabled", "category", "plugin", "targets", "algo"],
  // A code is the result of a job.
  job: ["code"],
  server: [],
  silence: ["title", "end", "groups"],
  check: ["title", "url"],
  heartbeat: ["title", "every"],
  receiver: ["title", "email"],
  route: ["title", "steps"],
  rota: ["title", "timezone", "layers"],
  ticket: ["subject", "status"],
  "user/admin": ["full_name", "email"],
};
const TITLED = ["title"];
/** Members that no record is stored or shown without, because checks, rules or readers need them in each record. */
const NEVER_NULL: Readonly<Record<string, Members>> = {
  role: { privileges: {}, categories: [], groups: [] },
  api_key: { privileges: {} },
  check: { category: "general" },
  heartbeat: { category: "general" },
  server: { groups: [], autoGroup: false },
  event: { params: {}, triggers: [], limits: [], actions: [] },
  rota: { overrides: [] },
  "user/admin": { privileges: {}, roles: [], categories: [], groups: [], icon: "" },
  ticket: {
    ...{ body: "", type: "", category: "", server: "", due: 0 },
    ...{ assignees: [], cc: [], notify: [], tags: [], events: [] },
  },
};
/** Members of calls that are not members of the record. */
const OF_CALL = [
  ...["id", "username", "if_revision", "revision", "json", "files", "update_state", "data", "fields"],
  ...["new_password", "unlock", "send_email", "fl_date_code", "fl_count", "fp_date_code", "fp_count"],
];
/** Immutable members, which an update leaves out. */
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = { event: ["type", "expect"], alert: ["subject"] };

const UPDATES = named(/^(?:update_(?!global_state|server_data|ticket_change)|user\/admin_update$)/);
const CREATES = named(/^(?:create_(?!snapshot|group_snapshot)|user\/admin_create$)/);

let world: World;
let credentials: Credentials;
beforeAll(async () => {
  world = await createWorld();
  credentials = await world.key({ privileges: ["admin"] });
});
afterAll(() => world.stop());

const memberOf = (name: string): string => kindOf(name).replace("user/admin", "user");
const kindOf = (name: string): string => name.replace(/^(?:create|update)_/, "").replace(/_(?:create|update)$/, "");

function membersOf(name: string): { readonly optional: string[]; readonly required: string[] } {
  const input = operations.get(name)?.input as z.ZodType;
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return { optional: Object.keys(properties).filter((member) => !required.includes(member)), required };
}

const requiredOf = (name: string): readonly string[] => REQUIRED[kindOf(name)] ?? TITLED;
/** Members that may be null. */
const nullable = (name: string): string[] =>
  membersOf(name).optional.filter((each) => !requiredOf(name).includes(each));
const nullsFor = (members: readonly string[]): Members => Object.fromEntries(members.map((member) => [member, null]));

async function call(name: string, change: (sample: Members) => Members): Promise<Members> {
  const sample = SAMPLES[name];
  if (!sample) throw new Error(`There is no sample for ${name}`);
  const input = change((await sample.input(world, world.stranger)) as Members);
  return { ...((await world.call(name, input, { credentials }, sample.waits)) as Members), input };
}

const recordOf = async (name: string, answer: Members): Promise<Members> =>
  (answer[memberOf(name)] as Members | undefined) ?? (await readOf(name, answer));

/** The record of an answer as read now. */
async function readOf(name: string, answer: Members): Promise<Members> {
  const kind = memberOf(name);
  const { id, username } = { ...(answer["input"] as Members), ...(answer[kind] as Members | undefined) };
  const [get, of] = kind === "user" ? ["user/admin_get_user", { username }] : [`get_${kind}`, { id }];
  return ((await world.call(get, of, { credentials })) as Members)[kind] as Members;
}

test.each([...CREATES, ...UPDATES])("%s answers the record as it is read", async (name) => {
  const without = nullable(name).filter((member) => !["id", "username", "if_revision"].includes(member));
  const bare = (sample: Members): Members =>
    Object.fromEntries(Object.entries(sample).filter(([member]) => !without.includes(member)));
  for (const change of [
    (sample: Members) => sample,
    bare,
    (sample: Members) => ({ ...sample, ...nullsFor(without) }),
  ]) {
    const answer = await call(name, change);
    const { in_force: _live, ...read } = await readOf(name, answer);
    expect(await recordOf(name, answer)).toEqual(read);
  }
});

test.each(UPDATES)("%s stores null for each optional member", async (name) => {
  const kind = kindOf(name);
  const sent = nullable(name).filter((member) => !["id", "username", "if_revision"].includes(member));
  const stored = await recordOf(name, await call(name, (sample) => ({ ...sample, ...nullsFor(sent) })));
  const left = [...OF_CALL, ...(IMMUTABLE[kind] ?? [])];
  const expected = sent.filter((member) => !left.includes(member));
  expect(expected.length).toBeGreaterThan(0);
  const found = Object.fromEntries(expected.map((member) => [member, stored[member]]));
  expect(found).toEqual({ ...nullsFor(expected), ...NEVER_NULL[kind] });
  // From now on the engine uses the rest of the record.
  if (stored["enabled"] === null) await world.call(name, { id: stored["id"], enabled: true }, { credentials });
});

test.each(UPDATES)("%s refuses null for required members", async (name) => {
  const { optional } = membersOf(name);
  for (const member of requiredOf(name).filter((each) => optional.includes(each)))
    expect(await refusalOf(call(name, (sample) => ({ ...sample, [member]: null })))).toHaveProperty("description");
});

test.each(CREATES)("%s treats null as absent", async (name) => {
  const without = nullable(name).filter((member) => member !== "username" && member !== "id");
  const bare = (sample: Members): Members =>
    Object.fromEntries(Object.entries(sample).filter(([member]) => !without.includes(member)));
  const absent = await recordOf(name, await call(name, bare));
  const given = await recordOf(name, await call(name, (sample) => ({ ...bare(sample), ...nullsFor(without) })));
  const empty = NEVER_NULL[kindOf(name)] ?? {};
  // Links of `searches` name the account.
  for (const member of without.filter((each) => each !== "searches"))
    expect([member, given[member] ?? null]).toEqual([member, absent[member] ?? empty[member] ?? null]);
});

// Runs after the updates above, so that there is a record full of nulls of each kind.
test("reads answer records full of null, and evaluating minutes does not fail on them", async () => {
  const failed: string[] = [];
  for (const name of named(/^(?:get_|search_|user\/admin_get)/)) {
    const sample = SAMPLES[name];
    const input = await sample?.input(world, world.stranger);
    await world.call(name, input, { credentials }, sample?.waits).catch((error: unknown) => {
      if (!(error instanceof SignalboxError) || error.code === "internal") failed.push(`${name}: ${String(error)}`);
    });
  }
  await world.clock.advance(180);
  expect([...failed, ...world.errors()]).toEqual([]);
});
