import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../core/test/rounds.ts";
import { type Any, type Box, KEY, openBox } from "./transfer-box.ts";

const EVERYTHING = "lists=all&indexes=all&extras=all";
/** Collections that the import itself writes or renews, and the keys, among which the key of its caller stays. */
const OF_THE_IMPORT = ["activity", "api_keys", "state", "job_stats", "ticket_numbers"];

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
  .map((raw) => `x${raw.replace(/[<>\0]/g, "")}`);
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 }));
const data = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, { maxKeys: 5 });
const fields = fc.array(fc.record({ name: fc.stringMatching(/^[A-Z_]{1,9}$/), value: text }), { maxLength: 4 });
const limits = fc.array(
  fc.record({
    type: fc.constant("time"),
    duration: fc.integer({ min: 1 }),
    enabled: fc.constantFrom(true, 1, "1", "", null),
  }),
  { maxLength: 3 },
);
const many = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 4 });

const stores = fc.record({
  tags: many(fc.record({ title: text, notes: text })),
  categories: many(fc.record({ title: text, color: fc.constantFrom("plain", "red"), limits })),
  secrets: many(fc.record({ title: text, fields, later: fc.constantFrom({}, { enabled: null, notes: null }) })),
  buckets: many(fc.record({ title: text, data, file: text })),
  tickets: many(fc.record({ subject: text, body: text })),
  users: fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/), { maxLength: 2 }),
});
type Store = typeof stores extends fc.Arbitrary<infer T> ? T : never;

async function fill(at: Box, store: Store): Promise<void> {
  const create = async (operation: string, body: object): Promise<Any> => {
    const answer = await at.post(operation, body);
    expect(answer.body, `${operation} ${JSON.stringify(body)}`).toMatchObject({ code: 0 });
    return answer.body;
  };
  for (const each of store.tags) await create("create_tag", each);
  for (const each of store.categories) await create("create_category", { ...each, actions: [] });
  for (const { later, ...each } of store.secrets) {
    const { secret } = await create("create_secret", each);
    await create("update_secret", { id: secret.id, ...later });
  }
  for (const each of store.tickets) await create("create_ticket", { ...each, type: "issue", status: "open" });
  for (const { file, ...each } of store.buckets) {
    const { bucket } = await create("create_bucket", each);
    const form = new FormData();
    form.set("file1", new File([file], "note.txt"));
    const headers = { "x-api-key": KEY };
    await at.send(`/api/app/upload_bucket_files/v1?id=${bucket.id}`, { method: "POST", body: form, headers });
  }
  for (const username of store.users) {
    const body = JSON.stringify({
      username: `u${username}`,
      full_name: "U",
      email: "u@example.com",
      password: "pass word 9",
    });
    const headers = { "x-api-key": KEY, "content-type": "application/json" };
    await at.send("/api/user/admin_create/v1", { method: "POST", headers, body });
  }
}

type Dump = Awaited<ReturnType<Box["dump"]>>;

function expectSame(before: Dump, after: Dump): void {
  for (const [collection, records] of Object.entries(before.records))
    if (!OF_THE_IMPORT.includes(collection)) expect(after.records[collection], collection).toEqual(records);
  for (const added of ["activity", "api_keys"]) expect(after.records[added]).toMatchObject(before.records[added] ?? {});
  expect(after.files).toEqual(before.files);
}

describe("any store, exported and imported into an empty one, is the same", () => {
  const through = async (store: Store, [source, target]: readonly [string, string]): Promise<void> => {
    const from = await openBox(source);
    await fill(from, store);
    // Taken first, because the export adds its own activity row.
    const before = await from.dump();
    const to = await openBox(target, { presets: false });
    await to.untilScheduled();
    const { report } = await to.importBytes((await from.fetchExport(EVERYTHING)).bytes);
    expect(report).not.toContain("Errors");
    expectSame(before, await to.dump());
  };

  test("in memory", async () => {
    await fc.assert(
      fc.asyncProperty(stores, (store) => through(store, ["memory", "memory"])),
      { numRuns: rounds(4, 10), seed: 20_261_124 },
    );
  });

  test("from SQLite to PostgreSQL", async () => {
    const [store] = fc.sample(stores, { numRuns: 1, seed: 7 });
    await through(store as Store, ["sqlite", "postgres"]);
  });
});

test("a truncated or broken file imports its complete lines and says so", {
  timeout: 120_000,
}, async () => {
  const stamps = { username: "x", created: 1, modified: 1 };
  const lines = Array.from({ length: 40 }, (_, n) => {
    const items = [{ id: `t${n}`, title: `T${n}`, ...stamps }];
    return JSON.stringify({ key: `global/tags/${n}`, value: { type: "list_page", items } });
  });
  const cases = fc.record({
    kept: fc.integer({ min: 1, max: 40 }),
    broken: fc.uniqueArray(fc.nat(39), { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ kept, broken }) => {
      const at = await openBox("memory", { presets: false });
      const sent = lines.slice(0, kept).map((line, n) => (broken.includes(n) ? line.slice(0, -3) : line));
      const { report } = await at.importBytes(`${sent.join("\n")}\n`);
      const { rows } = (await at.admin.get("get_tags/v1")).body;
      const whole = sent.flatMap((_line, n) => (broken.includes(n) ? [] : [`t${n}`]));
      expect(rows.map(({ id }: Any) => id)).toEqual(whole);
      const told = [...report.matchAll(/^- line (\d+)/gm)].map(([, line]) => Number(line) - 1);
      expect(told).toEqual(broken.filter((n) => n < kept).toSorted((a, b) => a - b));
    }),
    { numRuns: rounds(4, 10), seed: 20_261_124 },
  );
});
