import { type Cradle, definePlugin } from "@signalbox/core/plugin";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../core/test/rounds.ts";
import { openEngine } from "./boxes/fleet-engine.ts";
import { STORAGES } from "./open-storage.ts";

/** 2027-01-15 08:00 UTC */
const NOW = 1_800_000_000;
const WORDS = [
  "lamp",
  "lamps",
  "rebooting",
  "zip",
  "targeting",
  "on-call",
  "Café",
  "2.5.1",
  "node.js",
  "the",
  "東京",
  "snake_case",
];
const PEOPLE = ["ada", "linus.t", "mary_k"];
const TAGS = ["infra", "urgent", "db"];
const STATUSES = ["open", "closed", "draft", "on_hold"];

const many = (words: readonly string[], length: number) => fc.array(fc.constantFrom(...words), { maxLength: length });
const sentence = many([...WORDS, "<b>", "&amp;", "```", "\n", "https://wiki.example.org/a"], 12).map((words) =>
  words.join(" "),
);
const ticket = fc.record({
  subject: many(WORDS, 4).map((words) => `S ${words.join(" ")}`),
  body: sentence,
  status: fc.constantFrom(...STATUSES),
  type: fc.constantFrom("issue", "bug", "task"),
  assignees: many(PEOPLE, 2),
  cc: many(PEOPLE, 2),
  tags: many(TAGS, 3),
  due: fc.constantFrom(0, NOW - 86_400, NOW, NOW + 40 * 86_400),
  username: fc.constantFrom(...PEOPLE),
});

const word = fc.constantFrom(...WORDS, ...PEOPLE, ...STATUSES, ...TAGS, "open", "S");
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(" ")}"`);
const textValue = fc.oneof(word, phrase);
const typed = fc.constantFrom(
  "1",
  ">3",
  "<=7",
  "2..5",
  "-3",
  "today",
  "<today",
  ">2027",
  "2026-12..2027-02",
  "yesterday",
  "x",
);
const field = fc.constantFrom(
  "subject",
  "body",
  "changes",
  "status",
  "type",
  "username",
  "assignees",
  "cc",
  "tags",
  "none",
);
const typedField = fc.constantFrom("num", "created", "modified", "due", "date");
const sign = fc.constantFrom("", "", "", "-", "+");
const alternatives = fc.array(textValue, { minLength: 1, maxLength: 3 }).map((values) => values.join("|"));
const part = fc.oneof(
  fc.tuple(sign, alternatives).map((pieces) => pieces.join("")),
  fc.tuple(sign, field, fc.constantFrom(":", ":-"), alternatives).map((pieces) => pieces.join("")),
  fc.tuple(sign, typedField, fc.constant(":"), typed).map((pieces) => pieces.join("")),
);
const simple = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(" "));
const item = fc
  .tuple(fc.oneof(field, typedField), fc.constantFrom("=", "!~", ">", "<="), fc.oneof(textValue, typed))
  .map(
    ([name, operator, value]) =>
      `${name === "none" ? "tags" : name} ${operator} ${JSON.stringify(value.replaceAll('"', ""))}`,
  );
const { group } = fc.letrec<{ group: string; node: string }>((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, item, tie("group")),
  group: fc
    .tuple(fc.constantFrom(" & ", " | "), fc.array(tie("node"), { minLength: 1, maxLength: 4 }))
    .map(([separator, nodes]) => `(${nodes.join(separator)})`),
}));
const page = fc.record(
  {
    sort_by: fc.constantFrom("_id", "num", "modified"),
    sort_dir: fc.constantFrom(1, -1),
    offset: fc.integer({ min: 0, max: 6 }),
    limit: fc.constantFrom(1, 3, 1000),
  },
  { requiredKeys: ["limit"] },
);

/** Tickets only accept existing tags, so they are created first. */
async function openTagged(name: string) {
  const at = await openEngine(name, { config: { tz: "UTC" } });
  for (const id of TAGS) await at.engine.api.createTag({ id, title: id });
  return at;
}

async function openAll() {
  const engines = [];
  for (const name of STORAGES) engines.push((await openTagged(name)).engine);
  return engines;
}

test("random queries over random tickets have the same answer on every storage", async () => {
  const engines = await openAll();
  const tickets = fc.sample(ticket, { numRuns: 60, seed: 7 });
  for (const { api } of engines) {
    for (const [n, one] of tickets.entries()) await api.createTicket({ id: `t${(n * 7) % 60}`, ...one });
    for (let n = 0; n < 60; n += 3)
      await api.updateTicket({ id: `t${n}`, status: "closed", body: `again ${tickets[n]?.body}` });
    for (let n = 0; n < 60; n += 11) await api.deleteTicket({ id: `t${n}` });
  }
  let found = 0;
  const answers = (input: Record<string, unknown>) =>
    Promise.all(
      engines.map(async ({ api }) => {
        const { rows, list } = await api.searchTickets(input);
        return { ids: rows.map(({ id }) => id), total: list.length };
      }),
    );
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 2, arbitrary: simple }, group), page, async (query, paging) => {
      const [first, ...others] = await answers({ query, ...paging });
      found += Math.min(first?.total ?? 0, 1);
      for (const other of others) expect(other).toEqual(first);
    }),
    { numRuns: rounds(150, 600) },
  );
  // A law that only held for empty results would prove nothing.
  expect(found).toBeGreaterThan(15);
});

const operators = [
  "-",
  "+",
  ":",
  "|",
  '"',
  "..",
  ">",
  "<=",
  "(",
  ")",
  "&",
  "=",
  "!~",
  "*",
  "#id:",
  "AND",
  "NEAR(",
  "^",
  "\\",
  "\0",
];
const hostile: readonly string[] = [
  "x".repeat(10_000),
  "lamp ".repeat(2000),
  Array.from({ length: 1000 }, (_unused, n) => `w${n}`).join("|"),
  `-${Array.from({ length: 900 }, (_unused, n) => `w${n}`).join("|")} lamp`,
  '"'.repeat(9999),
  "(".repeat(5000) + ")".repeat(5000),
  `(body = "${"lamp ".repeat(90)}")`,
  `${"(".repeat(32)}body = "lamp" & tags = "db"${")".repeat(32)}`,
  `${'(body = "lamp" | (tags = "db" & '.repeat(15)}num > 1${"))".repeat(15)}`,
  ...operators.flatMap((operator) => [
    `${operator}lamp`,
    `lamp${operator}`,
    `lamp ${operator} zip`,
    `body:${operator}lamp`,
    `num:${operator}5`,
    `(${operator}body = "lamp")`,
    `(body ${operator} "lamp")`,
    operator.repeat(500),
  ]),
];

describe.each(STORAGES)("searches over %s", (name) => {
  test("hostile queries are answered or refused with a message, in bounded time", async () => {
    const { engine } = await openTagged(name);
    const { api } = engine;
    for (let n = 0; n < 200; n++)
      await api.createTicket({ subject: `Lamp ${n}`, body: "lamp zip ".repeat(50), tags: ["db"] });
    for (const query of hostile) {
      const begun = process.cpuUsage();
      const answer = await api.searchTickets({ query, limit: 5 }).catch((error: { code: string }) => error.code);
      // Processor time, so that other processes on the machine do not count.
      const { user, system } = process.cpuUsage(begun);
      expect((user + system) / 1000).toBeLessThan(3000);
      if (typeof answer === "string") expect([query.slice(0, 40), answer]).toEqual([query.slice(0, 40), "ticket"]);
    }
  });

  test("every search is counted once", async () => {
    let cradle: Cradle | undefined;
    const probe = definePlugin({
      id: "probe",
      start: async (given) => {
        cradle = given;
      },
    });
    const { admin } = await openEngine(name, { plugins: [probe] });
    for (const table of ["tickets", "jobs", "servers", "alerts", "snapshots", "activity"])
      expect((await admin.get(`search_${table}/v1?limit=5`)).status).toBe(200);
    await admin.get("search_revision_history/v1?type=tags");
    await cradle?.jobs.stats.flush();
    const counts = await cradle?.storage.read((tx) => cradle?.jobs.stats.read(tx, "") ?? Promise.resolve({}));
    expect(JSON.stringify(counts)).toContain('"search":7');
  });
});
